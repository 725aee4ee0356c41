/** Associations by way of exceptions, for the analysis with edges to handlers; marked as in {@code Flows}. */
class Thrown {
    static int failing(int[] all, int n) { //: all put n head?2
        int i = 0; //: i head?2 put
        try {
            while (i < n) { //: @head
                all[i] = 1; //: @put
                i++; //: i head?2 put fail
            }
            return -1;
        } catch (RuntimeException e) {
            return i; //: @fail
        }
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
