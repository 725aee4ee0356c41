/**
 * Ways through methods. Lines with branches have names, at their ends.
 */
public final class Paths {
    static int nested(int a, int b) {
        int sum = 0;
        if (a > 0) { // @outer
            if (b > 0) { // @inner
                sum += b;
            }
            sum += a;
        } else if (b > 1) { // @other
            sum--;
        }
        return sum;
    }

    static int loops(int n) {
        int sum = 0;
        do {
            sum += n;
        } while (sum < 0); // @again
        for (int i = 0; i < n; i++) { // @for
            if (i == 2) { // @two
                continue;
            }
            sum++;
        }
        return sum;
    }

    static int chosen(int n) {
        switch (n) { // @switch
            case 1:
                return n + n > 2 ? 10 : 11; // @one
            case 7:
            case 8:
                if (n == 8) { // @seven
                    n++;
                }
            default:
                if (n > 9) { // @default
                    n--;
                }
        }
        return n;
    }

    static int caught(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            if (text.isEmpty()) { // @empty
                return -1;
            }
            return 0;
        }
    }

    static int straight(int a) {
        int b = a + 1;
        int c = b * 2;
        int d = c + b;
        int e = d * 3;
        int f = e - a;
        int g = f + c;
        int h = g * d;
        return g + h;
    }

    static String plain(String text) {
        return text.trim();
    }

    public static void main(String[] args) {
        Show.branches(args[0]);
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                int one = a;
                int other = b;
                Show.reached("nested " + a + " " + b, () -> nested(one, other));
            }
        }
        for (int n = -1; n < 12; n++) {
            int times = n;
            Show.reached("loops " + n, () -> loops(Math.max(0, times)));
            Show.reached("chosen " + n, () -> chosen(times));
        }
        for (String text : new String[] {"5", "x", ""}) {
            Show.reached("caught " + text, () -> caught(text));
        }
        Show.reached("plain", () -> plain(" a "));
    }
}
