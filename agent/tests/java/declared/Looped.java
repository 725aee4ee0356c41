/**
 * A long loop within one invocation: of its reads most are left out, because they show nothing new. What is new among them, and what comes after
 * the loop, is found all the same, and what the loop overwrote reaches nothing.
 */
public class Looped {
    static final int MANY = 120_000;

    private final int[] values = new int[64];
    private int total;
    private int mark;
    private Looped next;

    int sum() {
        for (int i = 0; i < values.length; i++) {
            values[i] = i; //: at filled
        }
        mark = 1; //: at early
        int sum = 0;
        int at = 1;
        for (int i = 0; i < MANY; i++) {
            // In an order that never comes again: what is repeated word by word is left out as it is.
            at = at * 1103515245 + 12345;
            sum += values[at >>> 26]; //: at summed
            if ((at & 1 << 20) != 0) {
                sum += next.mark; //: at throughNext
            }
            if (i == MANY / 2) {
                for (int k = 0; k < 32; k++) {
                    values[k] = -i; //: at changed
                }
                mark = 2; //: at inLoop
                next = new Looped(); //: at replaced
            }
        }
        total = sum; //: at totalled
        return mark; //: at readMark
    }

    int total() {
        return total + values[0] + values[63]; //: at readTotal
    }

    public static void main(String[] args) {
        Looped looped = new Looped();
        looped.next = new Looped();
        looped.next.mark = 9; //: at byTest
        int mark = looped.sum();
        System.out.println(mark + looped.total());
    }

    //: pair Looped.values.[]: filled -> summed
    //: pair Looped.values.[]: changed -> summed
    //: pair Looped.mark: inLoop -> readMark
    //: pair Looped.total: totalled -> readTotal
    //: pair Looped.values.[]: changed -> readTotal
    //: pair Looped.values.[]: filled -> readTotal
    //: pair Looped.next.mark: replaced -> throughNext
    //: none Looped.mark: early -> readMark
    //: none Looped.values.[]: filled -> readMark
}
