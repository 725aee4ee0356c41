package clinic.records;

import java.util.ArrayList;
import java.util.List;

/** A pet and its visits. */
public class Pet {
    private final String name;
    private final List<Visit> visits = new ArrayList<>();
    private String chip;

    public Pet(String name) {
        this.name = name;
    }

    public String getName() {
        return name;
    }

    public void implant(String number) {
        if (chip != null) {
            throw new IllegalStateException("it has a chip");
        }
        chip = number;
    }

    public boolean isChipped() {
        return chip != null;
    }

    public Visit visit(String reason, int fee) {
        Visit visit = new Visit(reason, isChipped() ? fee : fee + 5);
        visits.add(visit);
        return visit;
    }

    public int visitCount() {
        return visits.size();
    }

    public int due() {
        int due = 0;
        for (Visit visit : visits) {
            due += visit.due();
        }
        return due;
    }

    public Visit last() {
        return visits.isEmpty() ? null : visits.get(visits.size() - 1);
    }
}
