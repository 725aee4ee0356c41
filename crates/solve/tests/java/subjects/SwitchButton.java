/** How many states n lamps can have after m presses of four switches: all, the even ones, the odd ones, every third. */
public final class SwitchButton {
    private SwitchButton() {}

    public static int switchButton(int n, int m) {
        if (n <= 0 || m < 0) {
            return 0;
        }
        if (m == 0) {
            return 1;
        }
        int lamps = n;
        while (lamps > 3) {
            lamps = lamps - 3;
            if (lamps <= 3) {
                lamps = 3;
            }
        }
        if (lamps == 1) {
            return 2;
        }
        if (lamps == 2) {
            return m == 1 ? 3 : 4;
        }
        if (m == 1) {
            return 4;
        }
        return m == 2 ? 7 : 8;
    }
}
