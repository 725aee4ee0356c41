import java.util.ArrayList;
import java.util.HashMap;
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

    /** Copies that are containers of their own. */
    //: pair Copied.from.[]: fromAdd -> copiesList
    //: pair Copied.from.[]: fromAdd -> copiesSet
    //: pair Copied.map.[]: mapPut -> copiesMap
    //: none Copied.from.[]: copiesList -> fromSize
    //: none Copied.from.[]: fromAdd -> listsOne
    //: pair Copied.list.[].weight: load -> weigh
    static final class Copied {
        final List<Box> from = new ArrayList<>();
        final Map<String, Box> map = new HashMap<>();
        List<Box> list;
        Set<Box> set;
        Map<String, Box> copy;

        void run() {
            Box box = new Box();
            from.add(box); //: at fromAdd
            map.put("a", box); //: at mapPut
            list = List.copyOf(from); //: at copiesList
            set = Set.copyOf(from); //: at copiesSet
            copy = Map.copyOf(map); //: at copiesMap
            from.size(); //: at fromSize
            box.load(1).weigh();
            list = List.of(box); //: at listsOne
        }
    }

    public static void main(String[] arguments) {
        new Of().run();
        new Copied().run();
        System.out.println("ok");
    }
}
