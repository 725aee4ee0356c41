/** Two threads write one field, ordered by start and join: each read has one reaching definition. */
public class Order {
    static class Cell {
        int value;

        void byMain() {
            value = 1;
        }

        void byOther() {
            value = 2;
        }

        int read() {
            return value;
        }

        int readAgain() {
            return value;
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 50; i++) {
            final Cell cell = new Cell();
            cell.byMain();
            cell.read();
            Thread other = new Thread() {
                @Override
                public void run() {
                    cell.byOther();
                }
            };
            other.start();
            other.join();
            System.out.println(cell.readAgain());
        }
    }
}
