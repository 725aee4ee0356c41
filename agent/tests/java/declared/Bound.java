import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Functions made of method references to containers: who applies them changes the container, where nothing is woven. */
final class Bound {
    /** Something to hold. */
    static final class Box {
        int mark;

        void mark() {
            mark = 1; //: at mark
        }

        int look() {
            return mark; //: at look
        }
    }

    /** Marks and looks at a box in a frame of its own, whether it holds the box or not. */
    abstract static class Holder {
        final List<Box> list = new ArrayList<>();

        int size() {
            return list.size(); //: at size
        }

        void touch(Box box) {
            box.mark();
            box.look();
        }
    }

    //: pair Adds.list.[].mark: mark -> look
    //: pair Adds.list.[]: adds -> size
    //: none Adds.list.[]: addsBefore -> size
    //: none Adds.list.[]: addsBefore -> adds
    static final class Adds extends Holder {
        void run(Box box) {
            list.add(new Box()); //: at addsBefore
            Arrays.asList(box).forEach(list::add); //: at adds
            size();
            touch(box);
        }
    }

    //: none Removes.list.[].mark: mark -> look
    //: pair Removes.list.[]: removes -> size
    //: pair Removes.list.[]: removesBefore -> removes
    static final class Removes extends Holder {
        void run(Box box) {
            list.add(box); //: at removesBefore
            Arrays.asList(box).forEach(list::remove); //: at removes
            size();
            touch(box);
        }
    }

    //: pair Looks.list.[]: looksBefore -> size
    //: none Looks.list.[]: looks -> size
    static final class Looks extends Holder {
        void run(Box box) {
            list.add(box); //: at looksBefore
            System.out.println(Stream.of(box).filter(list::contains).count()); //: at looks
            size();
        }
    }

    //: pair Puts.map.[].mark: mark -> look
    //: pair Puts.map.[]: puts -> mapSize
    static final class Puts extends Holder {
        final Map<String, Box> map = new HashMap<>();

        void run(Box box) {
            Map<String, Box> other = new HashMap<>();
            other.put("a", box);
            map.put("b", new Box());
            other.forEach(map::put); //: at puts
            System.out.println(map.size()); //: at mapSize
            touch(box);
        }
    }

    //: pair Collects.list.[].mark: mark -> look
    //: pair Collects.list.[]: collects -> size
    //: none Collects.list.[]: collectsBefore -> size
    static final class Collects extends Holder {
        void run(Box box) {
            list.add(new Box()); //: at collectsBefore
            Stream.of(box).collect(Collectors.toCollection(() -> list)); //: at collects
            size();
            touch(box);
        }
    }

    //: pair Filters.seen.[].mark: mark -> look
    //: pair Filters.seen.[]: filters -> seenSize
    //: pair Filters.seen.[]: filtersBefore -> filters
    //: none Filters.seen.[]: filtersBefore -> seenSize
    //: none Filters.seen.[]: filterMade -> seenSize
    static final class Filters extends Holder {
        final Set<Box> seen = new HashSet<>();

        void run(Box box) {
            seen.add(new Box()); //: at filtersBefore
            Stream<Box> boxes = Stream.of(box, box).filter(seen::add); //: at filterMade
            System.out.println(boxes.count()); //: at filters
            System.out.println(seen.size()); //: at seenSize
            touch(box);
        }
    }

    //: pair Keeps.list.[].mark: mark -> look
    //: pair Keeps.list.[]: accepts -> size
    //: none Keeps.list.[]: keepsBefore -> size
    static final class Keeps extends Holder {
        final Consumer<Box> sink = list::add;

        void run(Box box) {
            list.add(new Box()); //: at keepsBefore
            sink.accept(box); //: at accepts
            size();
            touch(box);
        }
    }

    //: pair Passes.list.[].mark: mark -> look
    //: pair Passes.list.[]: passes -> size
    static final class Passes extends Holder {
        void give(Consumer<Box> sink, Box box) {
            sink.accept(box); //: at passes
        }

        void run(Box box) {
            list.add(new Box());
            give(list::add, box);
            size();
            touch(box);
        }
    }

    public static void main(String[] arguments) {
        new Adds().run(new Box());
        new Removes().run(new Box());
        new Looks().run(new Box());
        new Puts().run(new Box());
        new Collects().run(new Box());
        new Filters().run(new Box());
        new Keeps().run(new Box());
        new Passes().run(new Box());
    }
}
