package demo;

import java.util.ArrayList;
import java.util.List;

/** Holds words, and counts how often they were taken. */
public class Bag {
    private static int made;
    private final List<String> words = new ArrayList<>();
    private int taken;

    public Bag() {
        made++;
    }

    public void put(String word) {
        if (word == null) {
            throw new IllegalArgumentException("no word");
        }
        words.add(word);
    }

    public String take() {
        taken++;
        return words.remove(words.size() - 1);
    }

    public int size() {
        return words.size();
    }

    public int taken() {
        return taken;
    }

    public static int made() {
        return made;
    }
}
