import java.util.Objects;
import java.util.function.Supplier;

/** Who has it checked that there is an object: lines say it, with what is checked. */
class Checked {
    private final String name;

    Checked(String name) {
        this.name = name;
    }

    Supplier<String> bound(Checked other, String text) {
        Supplier<String> own = name::trim; // by the compiler, a field
        Supplier<String> others = other.name::trim; // by the compiler
        Supplier<String> given = text::trim; // by the compiler
        Supplier<String> free = () -> name.trim();
        return own == null ? others : free == null ? given : free;
    }

    String demanded(String text) {
        Objects.requireNonNull(text); // on purpose
        String there = Objects.requireNonNull(name, "name"); // on purpose
        return there + text;
    }

    Supplier<String> both(String text) {
        Supplier<String> own = Objects.requireNonNull(text)::trim; // on purpose
        return own;
    }

    String changed(java.util.List<String> names, java.util.Map<String, String> all, StringBuilder text) {
        names.add(name); // dropped
        names.add(0, name); // dropped
        all.put(name, name); // dropped
        text.append(name); // dropped
        if (names.add(name)) {
            text.append(all.remove(name)).append(names.size()); // dropped, but for the first and what is removed
        }
        all.merge(name, name, String::concat);
        all.putIfAbsent(name, name);
        names.get(0);
        return all.put(name, name);
    }
}
