/**
 * A long loop within one invocation that writes: most of its writes are left out, because it shows nothing new. What it overwrote reaches nothing, and what is
 * written and read elsewhere, meanwhile and afterwards, is found all the same.
 */
public class Filled {
    static final int MANY = 120_000;

    private final int[] values = new int[64];
    private int rounds;
    private int mark;
    private Filled next;

    void clear() {
        for (int i = 0; i < values.length; i++) {
            values[i] = i; //: at cleared
        }
        rounds = 0; //: at begun
    }

    int fill() {
        mark = 1; //: at early
        int at = 1;
        for (int i = 0; i < MANY; i++) {
            // In an order that never comes again: what is repeated word by word is left out as it is.
            at = at * 1103515245 + 12345;
            values[at >>> 26] = values[at >>> 27] + 1; //: at filled
            rounds++; //: at counted
            if (i == MANY / 2) {
                mark = 2; //: at inLoop
                next = new Filled(); //: at linked
            }
        }
        return mark; //: at readMark
    }

    void set() {
        values[7] = 5; //: at set
        next.rounds = 1; //: at setRounds
    }

    int sum() {
        return values[7] + next.rounds; //: at summed
    }

    int first() {
        return values[0] + rounds; //: at readFirst
    }

    public static void main(String[] args) {
        Filled filled = new Filled();
        filled.clear();
        int mark = filled.fill();
        int first = filled.first();
        filled.set();
        System.out.println(mark + first + filled.sum());
    }

    //: pair Filled.values.[]: cleared -> filled
    //: pair Filled.mark: inLoop -> readMark
    //: pair Filled.values.[]: set -> summed
    //: pair Filled.next.rounds: setRounds -> summed
    //: none Filled.mark: early -> readMark
    //: none Filled.values.[]: cleared -> readFirst
    //: none Filled.rounds: begun -> readFirst
    //: none Filled.values.[]: cleared -> summed
    //: none Filled.next.rounds: linked -> summed
}
