import java.util.ArrayList;
import java.util.List;

/** A class whose methods work together in each of the ways that make associations between them. */
public class Machine {
    private int paid;
    private int price;
    private final List<String> log = new ArrayList<>();
    private Machine spare;

    public Machine(int price) {
        this.price = price;
    }

    public void pay(int amount) {
        paid = paid + amount;
    }

    public boolean brew() {
        if (paid < price) {
            return false;
        }
        take(price);
        return paid > 0;
    }

    private void take(int much) {
        paid = paid - much;
    }

    public int twice(int n) {
        int half = n / 2;
        return add(half) + half;
    }

    private static int add(int number) {
        return number + 1;
    }

    public void note(String text) {
        log.add(text);
    }

    public int notes() {
        return log.size();
    }

    public int other() {
        spare.pay(3);
        return spare.paid;
    }
}
