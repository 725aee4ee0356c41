import java.util.ArrayList;
import java.util.List;

/**
 * Methods with definitions and uses, whose lines have names. Behind each call stand the def-use pairs that it covers: the variable, where it is defined (`param`: at the entry), and where it is used;
 * those that it comes near to, with their distances, and of how many others it executes the definition alone. They stand in the order of their numbers.
 */
public final class Flows {
    private int paid;
    private final List<String> names = new ArrayList<>(); // @made
    private static int count;

    static int choose(boolean flag, int a) {
        int x = 0; // @zero
        if (flag) { // @flag
            x = a; // @taken
        }
        return x; // @result
    }

    static int rounds(int n) {
        int sum = 0; // @sum
        while (n > 0) { // @loop
            sum += n; // @more
            n--; // @less
        }
        return sum; // @all
    }

    static int caught(String text) {
        int state = 1; // @one
        try {
            state = text.length(); // @length
        } catch (NullPointerException e) {
            return state; // @handler
        }
        return state; // @end
    }

    static int guarded(int k) {
        int y = 5; // @five
        if (k > 10) { // @ten
            if (k == 42) { // @answer
                return y; // @guarded
            }
        }
        return 0;
    }

    static String kind(int k) {
        String name = "none"; // @none
        switch (k) { // @switch
            case 1:
                name = "one"; // @first
                break;
            default:
                break;
        }
        return name.trim(); // @trimmed
    }

    static int value(Flows flows) {
        return flows.paid + flows.paid; // @value
    }

    public Flows() {}

    public void pay(int n) {
        paid = n; // @pay
    }

    public void reset() {
        paid = 0; // @reset
    }

    public int total() {
        return paid; // @total
    }

    public boolean isRich() {
        if (paid > 100) { // @rich
            return true;
        }
        return false;
    }

    public int payAndTell(int n) {
        pay(n); // @hand
        return paid; // @tell
    }

    public static void steal(Flows other) {
        other.paid = 0; // @steal
    }

    public void add(String name) {
        names.add(name); // @add
    }

    public int size() {
        return names.size(); // @size
    }

    public static int next() {
        count++; // @next
        return 7;
    }

    public static int shown() {
        return count; // @shown
    }

    private long sum;
    private int limit;

    public Flows(int limit) {
        this();
        this.limit = limit; // @limit
    }

    public boolean isBelow(int n) {
        return n < limit; // @below
    }

    public void addLong(long n) {
        sum += n; // @long
    }

    public static void forget(Flows other) {
        other.sum = 0L;
    }

    public long sum() {
        return sum; // @read
    }

    static int deep(int n) {
        int x = 1; // @shallow
        if (n > 0) { // @positive
            x = 2; // @deep
            deep(n - 1); // @again
        }
        return x; // @back
    }

    static Flows paid() {
        Flows flows = new Flows();
        flows.pay(3);
        flows.addLong(4);
        return flows;
    }

    /** Another class with the same outermost one. */
    static final class Thief {
        static Flows take(Flows flows) {
            flows.paid = 0;
            flows.sum = 0;
            return flows;
        }

        private Thief() {}
    }

    public static void main(String[] args) {
        Show.branches(args[0]);
        Show.met("choose no", () -> choose(false, 3)); //: flag param->flag, x zero->result; near: a param->taken 1.50, flag param->flag 1.50
        Show.met("choose yes", () -> choose(true, 3)); //: a param->taken, flag param->flag, x taken->result; near: flag param->flag 1.50; defined: 1
        Show.met("rounds 0", () -> rounds(0)); //: n param->loop, sum sum->all; near: n param->more 1.50, n param->loop 1.50, sum sum->more 1.50
        Show.met("rounds 1", () -> rounds(1)); //: n param->more, n param->loop, sum sum->more, n less->loop, sum more->all; near: n param->loop 1.50, n less->more 1.50, n less->loop 1.50, sum more->more 1.50; defined: 1
        Show.met("rounds 2", () -> rounds(2)); //: n param->more, n param->loop, sum sum->more, n less->more, n less->loop, n less->loop, sum more->more, sum more->all; near: n param->loop 1.67; defined: 1
        Show.met("caught", () -> caught("abc")); //: state length->end
        Show.met("caught null", () -> caught(null)); //: 
        Show.met("guarded 4", () -> guarded(4)); //: k param->ten; near: k param->ten 1.88, k param->answer 2.88, k param->answer 2.88, y five->guarded 2.88
        Show.met("guarded 40", () -> guarded(40)); //: k param->ten, k param->answer; near: k param->ten 1.97, k param->answer 1.67, y five->guarded 1.67
        Show.met("guarded 42", () -> guarded(42)); //: k param->ten, k param->answer, y five->guarded; near: k param->ten 1.97, k param->answer 1.50
        Show.met("kind 1", () -> kind(1)); //: k param->switch, name first->trimmed; defined: 2
        Show.met("kind 3", () -> kind(3)); //: k param->switch, name none->trimmed; near: k param->switch 1.67
        Show.met("value", () -> value(new Flows())); //: defined: 2
        Show.met("made", () -> new Flows()); //: defined: 2
        Show.met("pay", () -> { Flows f = new Flows(); f.pay(3); return f; }); //: defined: 6
        Show.met("pay and total", () -> { Flows f = new Flows(); f.pay(3); return f.total(); }); //: this.paid pay->total; defined: 5
        Show.met("pay, reset, total", () -> { Flows f = new Flows(); f.pay(3); f.reset(); return f.total(); }); //: this.paid reset->total; defined: 8
        Show.met("pay one, total of another", () -> { Flows f = new Flows(); f.pay(3); return new Flows().total(); }); //: defined: 6
        Show.met("pay, steal, total", () -> { Flows f = new Flows(); f.pay(3); steal(f); return f.total(); }); //: defined: 6
        Show.met("pay 90, rich", () -> { Flows f = new Flows(); f.pay(90); return f.isRich(); }); //: this.paid pay->rich; near: this.paid pay->rich 1.92; defined: 4
        Show.met("pay 101, rich", () -> { Flows f = new Flows(); f.pay(101); return f.isRich(); }); //: this.paid pay->rich; near: this.paid pay->rich 1.50; defined: 4
        Show.met("pay and tell", () -> new Flows().payAndTell(5)); //: this.paid pay->tell; defined: 5
        Show.met("size", () -> new Flows().size()); //: this.names made->size; defined: 1
        Show.met("add, size", () -> { Flows f = new Flows(); f.add("a"); return f.size(); }); //: this.names made->add, this.names add->size; defined: 2
        Show.met("add twice", () -> { Flows f = new Flows(); f.add("a"); f.add("b"); return f; }); //: this.names made->add, this.names add->add; defined: 2
        Show.met("next, shown", () -> next() + shown()); //: Flows.count next->shown; defined: 1
        Show.met("next twice", () -> next() + next()); //: Flows.count next->next; defined: 1
        Show.met("shown", () -> shown()); //: 
        Show.met("limit, below", () -> new Flows(3).isBelow(2)); //: n param->below, this.limit limit->below; near: n param->below 1.50, this.limit limit->below 1.50; defined: 2
        Show.met("add long, read", () -> { Flows f = new Flows(); f.addLong(1); f.addLong(2); return f.sum(); }); //: this.sum long->long, this.sum long->read; defined: 2
        Show.met("add long, forget, read", () -> { Flows f = new Flows(); f.addLong(1); forget(f); return f.sum(); }); //: defined: 4
        Show.met("pay, add long, a thief, read, total", () -> { Flows f = Thief.take(paid()); return f.sum() + f.total(); }); //: defined: 8
        Show.met("deep 1", () -> deep(1)); //: n param->again, n param->positive, n param->positive, x shallow->back, x deep->back
    }
}
