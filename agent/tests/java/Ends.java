/** Leaves the VM in the way its argument names, after an object was used. */
public class Ends {
    private int state;

    void define() {
        state = 1;
    }

    int use() {
        return state;
    }

    public static void main(String[] arguments) throws Exception {
        final Ends object = new Ends();
        object.define();
        System.out.println("state " + object.use());
        switch (arguments[0]) {
            case "exit":
                System.exit(3);
                break;
            case "halt":
                Runtime.getRuntime().halt(4);
                break;
            case "throw":
                throw new IllegalStateException("on purpose");
            case "overflow":
                object.dive(0);
                break;
            case "hook":
                Runtime.getRuntime().addShutdownHook(new Thread() {
                    @Override
                    public void run() {
                        object.define();
                        System.out.println("hook " + object.use());
                    }
                });
                break;
            case "daemon":
                Thread daemon = new Thread() {
                    @Override
                    public void run() {
                        while (true) {
                            object.define();
                            object.use();
                        }
                    }
                };
                daemon.setDaemon(true);
                daemon.start();
                Thread.sleep(50);
                break;
            default:
        }
    }

    private int dive(int depth) {
        state = depth;
        return dive(depth + 1) + state;
    }
}
