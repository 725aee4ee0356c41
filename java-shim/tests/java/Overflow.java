/** A stack overflow anywhere in the recorder leaves it whole: what came before and after is recorded. */
final class Overflow {
    static int depth;

    public static void main(String[] arguments) throws Exception {
        Thread thread = new Thread(null, new Runnable() {
            @Override
            public void run() {
                for (int round = 0; round < 400; round++) {
                    try {
                        dive(round % 40);
                    } catch (StackOverflowError expected) {
                        depth++;
                    }
                    DynaflowRecorder.select(round, Check.SITE);
                }
            }
        }, "diver", 256 << 10);
        thread.start();
        thread.join();
        DynaflowNative.drain();
        Check.that(depth == 400, "no overflow: this shows nothing");
        Check.that(!DynaflowNative.isOff(), "switched off: " + DynaflowNative.stopped);
        int next = 0;
        for (long[] run : DynaflowNative.RUNS) {
            for (int at = 1; at < run.length; at++) {
                long number = Check.number(run[at]);
                if (number == Check.SITE) {
                    Check.that(run[++at] == next++, "round " + run[at]);
                } else if (number == 1 || number == Check.SITE + 1) {
                    at++;
                } else {
                    Check.that(number == Check.SITE + 2 || number == 2, "no word of this program: " + run[at]);
                }
            }
        }
        Check.that(next == 400, "lost: " + next);
        System.out.println("ok");
    }

    private static int dive(int padding) {
        long a = padding;
        DynaflowRecorder.objects(new Object(), new int[0], Check.SITE + 1);
        DynaflowRecorder.at(Check.SITE + 2);
        if (padding > 0) {
            return pad(padding, a, a + 1, a + 2);
        }
        return dive(0) + 1;
    }

    private static int pad(int padding, long a, long b, long c) {
        return padding == 0 ? dive(0) + (int) (a + b + c) : pad(padding - 1, a, b, c) + 1;
    }
}
