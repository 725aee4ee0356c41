package clinic.desk;

import clinic.records.Owner;
import clinic.records.Visit;
import java.util.ArrayDeque;
import java.util.Deque;
import org.springframework.stereotype.Service;

/** Takes owners and their pets in, one after the other. */
@Service
public class AppointmentDesk {
    private final OwnerStore store;
    private final Deque<Visit> waiting = new ArrayDeque<>();
    private boolean open;
    private int refused;

    public AppointmentDesk(OwnerStore store) {
        this.store = store;
    }

    public void open() {
        open = true;
    }

    public void close() {
        open = false;
        waiting.clear();
    }

    public boolean book(String name, String pet, String reason, int fee) {
        if (!open) {
            refused++;
            return false;
        }
        Owner owner = store.find(name);
        if (owner == null) {
            owner = store.register(name);
        }
        if (!owner.check()) {
            refused++;
            return false;
        }
        waiting.add(owner.adopt(pet).visit(reason, fee));
        return true;
    }

    public Visit next() {
        return waiting.poll();
    }

    public int getRefused() {
        return refused;
    }

    public int getWaiting() {
        return waiting.size();
    }
}
