/**
 * Instructions with mutants. Behind each call stand the mutants of the method that its arguments do not make differ, with their distances; all others differ.
 * They stand in the order of the code.
 */
public final class Weak {
    int kept;

    static int sum(int a, int b) { return a + b; }
    static int quotient(int a, int b) { return a / b; }
    static long product(long a, long b) { return a * b; }
    static float less(float a, float b) { return a - b; }
    static double rest(double a, double b) { return a % b; }
    static int and(int a, int b) { return a & b; }
    static long xor(long a, long b) { return a ^ b; }
    static int shift(int a) { return a >> 2; }
    static long shiftLong(long a, int b) { return a << b; }
    static boolean below(int a, int b) { return a < b; }
    static boolean positive(int a) { return a > 0; }
    static boolean alikeLong(long a, long b) { return a == b; }
    static boolean atMost(double a, double b) { return a <= b; }
    static boolean flag(boolean a) { return a; }
    static boolean nothing(Object a) { return a == null; }
    static Object first(Object a, Object b) { return a; }
    static int rounds(int n) { int i = 0; do { i++; } while (i < n); return i; }
    int put(int a) { return kept = a; }
    static long wide(long a, double b, float c) { return (long) (a + b + c); }

    public static void main(String[] args) {
        Show.branches(args[0]);
        Show.met("sum 3 4", () -> sum(3, 4)); //: alive:
        Show.met("sum 0 0", () -> sum(0, 0)); //: alive: another sign=1.0, another one=1.0, another sign=1.0, another one=1.0, + becomes -=1.0, + becomes *=1.0
        Show.met("sum 2 2", () -> sum(2, 2)); //: alive: another one=1.0, another one=1.0, + becomes *=1.0
        Show.met("quotient 8 2", () -> quotient(8, 2)); //: alive:
        Show.met("quotient 1 0", () -> quotient(1, 0)); //: ArithmeticException alive: another sign=1.0, / becomes %=1.0
        Show.met("product 1 1", () -> product(1, 1)); //: alive: another one=1.0, another one=1.0, * becomes /=1.0
        Show.met("product 2 2", () -> product(2, 2)); //: alive: another one=1.0, another one=1.0, * becomes +=1.0
        Show.met("product big", () -> product(1L << 40, 3)); //: alive:
        Show.met("less 2.5 0", () -> less(2.5f, 0)); //: alive: another sign=1.0, - becomes +=1.0
        Show.met("less huge", () -> less(1e30f, 1)); //: alive: one more=1.0, one less=1.0, - becomes +=1.0, - becomes *=1.0, - becomes /=1.0
        Show.met("rest 5 3", () -> rest(5, 3)); //: alive: % becomes -=1.0
        Show.met("rest of no number", () -> rest(Double.NaN, 3)); //: alive: another sign=1.0, one more=1.0, one less=1.0, % becomes +=1.0, % becomes -=1.0, % becomes *=1.0, % becomes /=1.0
        Show.met("and 6 6", () -> and(6, 6)); //: alive: another one=1.0, another one=1.0, & becomes |=1.0
        Show.met("and 6 1", () -> and(6, 1)); //: alive:
        Show.met("xor 6 1", () -> xor(6, 1)); //: alive: ^ becomes |=1.0
        Show.met("shift 0", () -> shift(0)); //: alive: another sign=1.0, >> becomes <<=1.0, >> becomes >>>=1.0
        Show.met("shift 9", () -> shift(9)); //: alive: >> becomes >>>=1.0
        Show.met("shiftLong 9", () -> shiftLong(9, 33)); //: alive:
        Show.met("below 3 10", () -> below(3, 10)); //: alive: < becomes !==8.0, < becomes <==7.0, < becomes true=7.0
        Show.met("below 3 3", () -> below(3, 3)); //: alive: another one=1.0, another one=1.0, < becomes !==1.0, < becomes >=1.0, < becomes false=1.0
        Show.met("positive -2", () -> positive(-2)); //: alive: > becomes ===2.0, > becomes >==2.0, > becomes false=3.0
        Show.met("alikeLong 5 9", () -> alikeLong(5, 9)); //: alive: == becomes >==5.0, == becomes >=4.0, == becomes false=4.0
        Show.met("atMost 0.5 0.25", () -> atMost(0.5, 0.25)); //: alive: <= becomes ===1.25, <= becomes <=0.25, <= becomes false=0.25
        Show.met("flag", () -> flag(true)); //: alive:
        Show.met("nothing", () -> nothing("a")); //: alive:
        Show.met("first", () -> first("a", "b")); //: alive:
        Show.met("first twice", () -> first("a", "a")); //: alive: another one=1.0
        Show.met("rounds 1", () -> rounds(1)); //: alive: another one=1.0, another one=1.0, < becomes !==1.0, < becomes >=1.0, < becomes false=1.0, another one=1.0
        Show.met("put 0", () -> new Weak().put(0)); //: alive: another sign=1.0
        Show.met("wide", () -> wide(1, 2, 3)); //: alive:
    }
}
