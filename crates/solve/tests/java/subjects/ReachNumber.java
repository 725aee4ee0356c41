/** The fewest moves from 0 to a target, where the n-th move goes n steps to the left or to the right. */
public final class ReachNumber {
    private ReachNumber() {}

    public static int reachNumber(int target) {
        int distance = target < 0 ? -target : target;
        int moves = 0;
        int sum = 0;
        while (sum < distance) {
            moves++;
            sum += moves;
        }
        while ((sum - distance) % 2 != 0) {
            moves++;
            sum += moves;
        }
        return moves;
    }
}
