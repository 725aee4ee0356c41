/** The number with its digits in the other order, 0 where that is no int. */
public final class ReverseInteger {
    private ReverseInteger() {}

    public static int reverseInteger(int x) {
        int reversed = 0;
        int rest = x;
        while (rest != 0) {
            int digit = rest % 10;
            if (reversed > 214748364 || reversed == 214748364 && digit > 7) {
                return 0;
            }
            if (reversed < -214748364 || reversed == -214748364 && digit < -8) {
                return 0;
            }
            reversed = reversed * 10 + digit;
            rest = rest / 10;
        }
        return reversed;
    }
}
