/** Leads coverage through both ways it has into the agent: bits that are covered first, and exceptions that meet a handler. */
public class FaultyCovered {
    private int state;

    int next(int with) {
        int before = state;
        try {
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
        System.out.println(one.next(2));
        System.exit(3);
    }
}
