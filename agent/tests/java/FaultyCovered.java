/** Leads coverage through both ways it has into the agent: bits that are covered first, and methods that keep theirs in an array. */
public class FaultyCovered {
    private int state;

    int next(int with) {
        int before = state;
        if (before > 500) {
            before -= 500;
        }
        try {
            // Uses `before`, which another block defined, and then throws.
            state = before * 31 + 100 / with;
            if (state > 1000) {
                throw new IllegalStateException("large");
            }
        } catch (ArithmeticException divided) {
            state = before + 1;
        } catch (IllegalStateException large) {
            state = before % 7;
        }
        return state;
    }

    /** Has thousands of associations, so that its frames keep their bits in an array. */
    static int many(int rounds) {
        int a = 1;
        int b = 2;
        int c = 3;
        int d = 5;
        for (int i = 0; i < rounds; i++) {
            switch (i * 7 % 60) {
                case 0:
                    a = b + c * d;
                    break;
                case 1:
                    b = a + c * d;
                    break;
                case 2:
                    c = a + b * d;
                    break;
                case 3:
                    d = a + b * c;
                    break;
                case 4:
                    a = b + c * d;
                    break;
                case 5:
                    b = a + c * d;
                    break;
                case 6:
                    c = a + b * d;
                    break;
                case 7:
                    d = a + b * c;
                    break;
                case 8:
                    a = b + c * d;
                    break;
                case 9:
                    b = a + c * d;
                    break;
                case 10:
                    c = a + b * d;
                    break;
                case 11:
                    d = a + b * c;
                    break;
                case 12:
                    a = b + c * d;
                    break;
                case 13:
                    b = a + c * d;
                    break;
                case 14:
                    c = a + b * d;
                    break;
                case 15:
                    d = a + b * c;
                    break;
                case 16:
                    a = b + c * d;
                    break;
                case 17:
                    b = a + c * d;
                    break;
                case 18:
                    c = a + b * d;
                    break;
                case 19:
                    d = a + b * c;
                    break;
                case 20:
                    a = b + c * d;
                    break;
                case 21:
                    b = a + c * d;
                    break;
                case 22:
                    c = a + b * d;
                    break;
                case 23:
                    d = a + b * c;
                    break;
                case 24:
                    a = b + c * d;
                    break;
                case 25:
                    b = a + c * d;
                    break;
                case 26:
                    c = a + b * d;
                    break;
                case 27:
                    d = a + b * c;
                    break;
                case 28:
                    a = b + c * d;
                    break;
                case 29:
                    b = a + c * d;
                    break;
                case 30:
                    c = a + b * d;
                    break;
                case 31:
                    d = a + b * c;
                    break;
                case 32:
                    a = b + c * d;
                    break;
                case 33:
                    b = a + c * d;
                    break;
                case 34:
                    c = a + b * d;
                    break;
                case 35:
                    d = a + b * c;
                    break;
                case 36:
                    a = b + c * d;
                    break;
                case 37:
                    b = a + c * d;
                    break;
                case 38:
                    c = a + b * d;
                    break;
                case 39:
                    d = a + b * c;
                    break;
                case 40:
                    a = b + c * d;
                    break;
                case 41:
                    b = a + c * d;
                    break;
                case 42:
                    c = a + b * d;
                    break;
                case 43:
                    d = a + b * c;
                    break;
                case 44:
                    a = b + c * d;
                    break;
                case 45:
                    b = a + c * d;
                    break;
                case 46:
                    c = a + b * d;
                    break;
                case 47:
                    d = a + b * c;
                    break;
                case 48:
                    a = b + c * d;
                    break;
                case 49:
                    b = a + c * d;
                    break;
                case 50:
                    c = a + b * d;
                    break;
                case 51:
                    d = a + b * c;
                    break;
                case 52:
                    a = b + c * d;
                    break;
                case 53:
                    b = a + c * d;
                    break;
                case 54:
                    c = a + b * d;
                    break;
                case 55:
                    d = a + b * c;
                    break;
                case 56:
                    a = b + c * d;
                    break;
                case 57:
                    b = a + c * d;
                    break;
                case 58:
                    c = a + b * d;
                    break;
                default:
            }
        }
        return a + b + c + d;
    }

    static int threads(final int count) throws Exception {
        final int[] sums = new int[4];
        Thread[] all = new Thread[sums.length];
        for (int i = 0; i < all.length; i++) {
            final int own = i;
            all[i] = new Thread() {
                @Override
                public void run() {
                    FaultyCovered mine = new FaultyCovered();
                    for (int k = 0; k < count; k++) {
                        sums[own] += mine.next(k % (own + 2));
                    }
                }
            };
            all[i].start();
        }
        int sum = 0;
        for (int i = 0; i < all.length; i++) {
            all[i].join();
            sum += sums[i];
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        FaultyCovered one = new FaultyCovered();
        System.out.println(one.next(1));
        System.out.println(one.next(0));
        System.out.println(threads(3000));
        System.out.println(many(13));
        System.out.println(one.next(2));
        System.exit(3);
    }
}
