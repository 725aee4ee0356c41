/**
 * Reads cells of a ring in an order that never repeats, and writes one each time, so that the recorder has
 * to hand over every round: which takes the analysis much longer than the program.
 */
public final class Hurried {
    private static final int CELLS = 64;
    private static final int ROUNDS = 6_000_000;

    private final Hurried[] all;
    private Hurried next;
    private int value;

    private Hurried(Hurried[] all) {
        this.all = all;
    }

    private int sum(int times) {
        int sum = 0;
        int at = 1;
        for (int i = 0; i < times; i++) {
            at = at * 1103515245 + 12345;
            Hurried cell = all[at >>> 26];
            sum += cell.next.value;
            cell.value = i;
        }
        return sum;
    }

    public static void main(String[] args) {
        Hurried[] all = new Hurried[CELLS];
        for (int i = 0; i < CELLS; i++) {
            all[i] = new Hurried(all);
        }
        for (int i = 0; i < CELLS; i++) {
            all[i].next = all[(i + 1) % CELLS];
        }
        System.out.println(all[0].sum(ROUNDS));
    }
}
