package clinic.records;

import java.util.LinkedHashMap;
import java.util.Map;

/** An owner, the pets, and whether the owner may come again. */
public class Owner {
    private static final int LIMIT = 200;

    private final String name;
    private final Map<String, Pet> pets = new LinkedHashMap<>();
    private boolean barred;
    private int warnings;

    public Owner(String name) {
        this.name = name;
    }

    public String getName() {
        return name;
    }

    public Pet adopt(String petName) {
        Pet pet = pets.get(petName);
        if (pet == null) {
            pet = new Pet(petName);
            pets.put(petName, pet);
        }
        return pet;
    }

    public Pet pet(String petName) {
        return pets.get(petName);
    }

    public boolean giveAway(String petName) {
        return pets.remove(petName) != null;
    }

    public int due() {
        int due = 0;
        for (Pet pet : pets.values()) {
            due += pet.due();
        }
        return due;
    }

    public boolean check() {
        if (due() > LIMIT) {
            warnings++;
            barred = warnings > 1;
        }
        return !barred;
    }

    public int getWarnings() {
        return warnings;
    }

    public boolean isBarred() {
        return barred;
    }

    public void forgive() {
        warnings = 0;
        barred = false;
    }
}
