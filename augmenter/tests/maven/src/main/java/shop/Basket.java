package shop;

/** A basket with a purse in it, so that there is nested state. It knows nothing of tests. */
public class Basket {
    private final Purse purse = new Purse();

    public void pay(int amount) {
        purse.put(amount);
    }

    public int paid() {
        return purse.content();
    }

    static class Purse {
        private int coins;

        void put(int amount) {
            coins = coins + amount;
        }

        int content() {
            return coins;
        }
    }
}
