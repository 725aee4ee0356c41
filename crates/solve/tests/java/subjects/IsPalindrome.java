/** Whether the digits of a number read the same from both ends; without an array and without overflow. */
public final class IsPalindrome {
    private IsPalindrome() {}

    public static boolean isPalindrome(int x) {
        if (x < 0) {
            return false;
        }
        if (x != 0 && x % 10 == 0) {
            return false;
        }
        int half = 0;
        int rest = x;
        while (rest > half) {
            half = half * 10 + rest % 10;
            rest = rest / 10;
        }
        return rest == half || rest == half / 10;
    }
}
