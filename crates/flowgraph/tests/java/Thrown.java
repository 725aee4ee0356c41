/** Associations by way of exceptions, for the analysis with edges to handlers; marked as in {@code Flows}. */
class Thrown {
    static int failing(int[] all, int n) { //: all put n head?2
        int i = 0; //: i head?2 put next fail
        try {
            while (i < n) { //: @head
                all[i] = 1; //: @put
                i++; //: @next i head?2 put next fail
            }
            return -1;
        } catch (RuntimeException e) {
            return i; //: @fail
        }
    }

    /** What a handler sees was assigned before the exception, not behind it. */
    static int halfway(String in) { //: in second
        int step = 1; //: step caught
        try {
            in.trim();
            step = 2; //: step caught
            in.strip(); //: @second
            step = 3; //: step end
        } catch (RuntimeException e) {
            return step; //: @caught
        }
        return step; //: @end
    }

    static Object inHandler(Object in, boolean which) { //: in text which ask?2 late
        Object out = null; //: out give
        try {
            if (which) { //: @ask
                out = in.toString(); //: @text out give
            }
        } catch (RuntimeException broken) {
            out = which; //: @late out give
        }
        return out; //: @give
    }
}
