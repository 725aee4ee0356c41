package demo;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** State that is reached through inspectors, elements and containers. */
class Crate {
    private final List<String> names = new ArrayList<>(Arrays.asList("b", "a"));
    private Crate inner;

    Crate inner() {
        if (inner == null) {
            inner = new Crate();
        }
        return inner;
    }

    List<String> names() {
        return Collections.unmodifiableList(names);
    }

    Set<String> set() {
        return new HashSet<>(names);
    }

    Map<String, Integer> map() {
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("b", 2);
        map.put("a", null);
        return map;
    }

    Collection<String> values() {
        return new LinkedHashMap<String, String>(Collections.singletonMap("k", "v")).values();
    }

    Optional<Object> optional() {
        return Optional.of(this);
    }

    int[] numbers() {
        return new int[] {3, -1};
    }

    Counter[] counters() {
        return new Counter[] {new Counter(4), null};
    }

    int[] many() {
        return new int[9];
    }

    boolean has(String name, int from) {
        return names.indexOf(name) >= from;
    }

    Crate nothing() {
        return null;
    }

    void add(String name) {
        names.add(name);
        throw new IllegalStateException("full");
    }

    /** A list of the program itself, which nobody goes through. */
    List<String> own() {
        return new Own();
    }

    /** A list of the JDK that leads back into the program, which throws. */
    List<String> hostile() {
        return Collections.unmodifiableList(new Own());
    }

    private static final class Own extends AbstractList<String> {
        @Override
        public String get(int index) {
            throw new IllegalStateException("nobody asked");
        }

        @Override
        public int size() {
            return 1;
        }
    }
}
