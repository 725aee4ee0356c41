import java.util.ArrayList;
import java.util.List;

/** What newer languages have: patterns in switches, statements before `super(...)`, unnamed variables. */
public class Newer {
    sealed interface Expr permits Num, Add, Neg { }
    record Num(int value) implements Expr { }
    record Add(Expr left, Expr right) implements Expr { }
    record Neg(Expr of) implements Expr { }

    static int eval(Expr expr) {
        return switch (expr) {
            case Num(int value) when value > 100 -> 100;
            case Num(int value) -> value;
            case Add(Expr left, Neg(var right)) -> eval(left) - eval(right);
            case Add(var left, var right) -> eval(left) + eval(right);
            case Neg(var of) -> -eval(of);
        };
    }

    static class Base {
        final String seen;
        Base() { seen = describe(); }
        String describe() { return "base"; }
    }

    static class Early extends Base {
        final int size;
        final List<Integer> list;
        Early(int n) {
            if (n < 0) throw new IllegalArgumentException("negative " + n);
            int total = 0;
            for (int i = 0; i < n; i++) total += i;
            var made = new ArrayList<Integer>();
            try {
                made.add(10 / (total % 3));
            } catch (ArithmeticException _) {
                made.add(-1);
            }
            size = total > 3 ? total : n;
            list = made;
            super();
        }
        @Override String describe() { return "early " + size + list; }
    }

    static String kind(Object o) {
        return switch (o) {
            case null -> "null";
            case Integer i when i > 3 -> "big";
            case Integer _ -> "int";
            case String s -> "text " + s.length();
            case int[] array -> "array " + array.length;
            default -> o.getClass().getSimpleName();
        };
    }

    public static void main(String[] args) {
        System.out.println(eval(new Add(new Num(500), new Neg(new Add(new Num(1), new Neg(new Num(2)))))));
        for (int n = 0; n < 6; n++) System.out.println(new Early(n).seen);
        try {
            new Early(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        for (Object o : new Object[] {null, 1, 5, "abc", new int[2], 2.0}) System.out.println(kind(o));
    }
}
