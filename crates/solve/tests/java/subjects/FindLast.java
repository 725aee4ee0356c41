/** The place of the last element that equals a number. */
public final class FindLast {
    private FindLast() {}

    public static int findLast(int[] x, int y) {
        for (int i = x.length - 1; i >= 0; i--) {
            if (x[i] == y) {
                return i;
            }
        }
        return -1;
    }
}
