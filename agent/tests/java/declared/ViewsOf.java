import java.util.List;
import java.util.Map;
import java.util.Set;

/** The unchanging containers that JDKs since 9 make. */
final class ViewsOf {
    static final class Box {
        int weight;

        Box load(int more) {
            weight = more; //: at load
            return this;
        }

        int weigh() {
            return weight; //: at weigh
        }
    }

    //: pair Of.list.[].weight: load -> weigh
    //: pair Of.many.[].weight: load -> weigh
    //: pair Of.set.[].weight: load -> weigh
    //: pair Of.map.[].weight: load -> weigh
    //: pair Of.entries.[].weight: load -> weigh
    //: none Of.none.[].weight: load -> weigh
    static final class Of {
        final Box box = new Box();
        final List<Box> list = List.of(box);
        final List<Box> many = List.of(box, box, box);
        final Set<Box> set = Set.of(box);
        final Map<String, Box> map = Map.of("a", box);
        final Map<String, Box> entries = Map.ofEntries(Map.entry("a", box), Map.entry("b", box));
        final List<Box> none = List.of();

        void run() {
            box.load(1).weigh();
        }
    }

    public static void main(String[] arguments) {
        new Of().run();
        System.out.println("ok");
    }
}
