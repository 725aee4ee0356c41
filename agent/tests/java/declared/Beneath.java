/**
 * What is called by an invocation that is left out writes in every way there is: fields of {@code this} and of others, elements and static fields, in handlers, behind
 * switches, in constructors. What was written before does not reach what reads it afterwards, and what none of them writes does.
 */
public class Beneath {
    static final int MANY = 30_000;
    static final int ROUNDS = 30;
    static int shared;

    static class Device {
        int number;
        long wide;
        Device part;
        int caught;
        int ended;
        int chosen;
        int ofMade;
        int inherited;
        int untouched;
        final int[] cells = new int[4];
        Object latest;

        void run(int i) {
            count(i);
            link();
            choose(i);
            guard(i);
            new Made(this, i);
            new Special(this).inherit();
            store(cells, i);
            share(i);
        }

        private void count(int i) {
            number = i;
            wide = number + 1L;
        }

        void link() {
            part = new Device();
            part.number = 2;
        }

        void choose(int i) {
            switch (i) {
                case 1:
                    number++;
                    break;
                default:
                    chosen = i;
            }
        }

        void guard(int i) {
            try {
                fail(i);
            } catch (IllegalStateException expected) {
                caught = i;
            } finally {
                ended = i;
            }
        }

        void fail(int i) {
            throw new IllegalStateException();
        }

        int number() {
            return number; //: at readNumber
        }

        long wide() {
            return wide; //: at readWide
        }

        int part() {
            return part.number; //: at readPart
        }

        int caught() {
            return caught; //: at readCaught
        }

        int ended() {
            return ended; //: at readEnded
        }

        int chosen() {
            return chosen; //: at readChosen
        }

        int ofMade() {
            return ofMade; //: at readOfMade
        }

        int inherited() {
            return inherited; //: at readInherited
        }

        int cell() {
            return cells[1]; //: at readCell
        }

        int untouched() {
            return untouched; //: at readUntouched
        }
    }

    static class Made {
        final int own;

        Made(Device device, int i) {
            own = i;
            device.latest = this;
            device.ofMade = own;
        }
    }

    static class General {
        final Device device;

        General(Device device) {
            this.device = device;
        }

        void inherit() {
            device.inherited = 3;
        }
    }

    static class Special extends General {
        Special(Device device) {
            super(device);
        }

        @Override
        void inherit() {
            super.inherit();
        }
    }

    static void store(int[] cells, int i) {
        cells[i & 1] = i;
    }

    static void share(int i) {
        shared = i;
    }

    static int shared() {
        return shared; //: at readShared
    }

    public static void main(String[] args) {
        Device device = new Device();
        Device part = new Device();
        for (int i = 0; i < MANY; i++) {
            device.run(i);
        }
        long sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            part.number = 8; //: at ofPart
            device.part = part;
            device.number = 1; //: at number
            device.wide = 2; //: at wide
            device.caught = 3; //: at caught
            device.ended = 4; //: at ended
            device.chosen = 5; //: at chosen
            device.ofMade = 6; //: at ofMade
            device.inherited = 7; //: at inherited
            device.cells[1] = 9; //: at cell
            device.untouched = 10; //: at untouched
            shared = 11; //: at shared
            device.run(3);
            sum += device.number() + device.wide() + device.caught() + device.ended() + device.chosen() + device.ofMade();
            sum += device.inherited() + device.part() + device.cell() + device.untouched() + shared();
        }
        System.out.println(sum);
    }

    //: pair Device.untouched: untouched -> readUntouched
    //: none Device.number: number -> readNumber
    //: none Device.wide: wide -> readWide
    //: none Device.part.number: ofPart -> readPart
    //: none Device.caught: caught -> readCaught
    //: none Device.ended: ended -> readEnded
    //: none Device.chosen: chosen -> readChosen
    //: none Device.ofMade: ofMade -> readOfMade
    //: none Device.inherited: inherited -> readInherited
    //: none Device.cells.[]: cell -> readCell
    //: none Beneath.shared: shared -> readShared
}
