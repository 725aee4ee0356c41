package clinic.records;

/** A visit with its fee; what was paid of it. */
public class Visit {
    private final String reason;
    private int fee;
    private int paid;
    private boolean cancelled;

    public Visit(String reason, int fee) {
        this.reason = reason;
        this.fee = fee;
    }

    public String getReason() {
        return reason;
    }

    public int due() {
        return cancelled ? 0 : fee - paid;
    }

    public void pay(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("nothing to pay with");
        }
        paid += amount;
    }

    public void discount(int percent) {
        fee = fee - fee * percent / 100;
    }

    public void cancel() {
        cancelled = true;
    }

    public boolean isCancelled() {
        return cancelled;
    }
}
