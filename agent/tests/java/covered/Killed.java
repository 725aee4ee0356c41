/** Ends one frame, says so, and never ends another. */
public class Killed {
    static int ended(int by) {
        int twice = by; //: at ended.by
        if (by > 0) {
            twice = by * 2; //: at ended.twice
        }
        return twice; //: at ended.return
        //: covered twice: ended.twice -> ended.return
        //: open twice: ended.by -> ended.return
    }

    static int waits() throws InterruptedException {
        int found = ended(4); //: at waits.found
        if (found > 3) { //: at waits.if
            System.out.println(found);
            System.out.flush();
            Thread.sleep(600_000);
        }
        return found; //: at waits.return
        //: open found: waits.found -> waits.return
    }

    public static void main(String[] arguments) throws Exception {
        waits();
    }
}
