/** Associations when uses belong to statements: what a condition computes with is used on its edges. Marked as in {@code Flows}. */
class Stated {
    static int asked(String text, int n) { //: text ask?2 n ask?2
        if (text.length() > n + 1) { //: @ask
            return 1;
        }
        return 0;
    }

    static int chosen(int a, int b, boolean which) { //: a take b take which first?2
        int c = (which ? a + 1 : b) * 2; //: @first @take
        return c;
    }

    static boolean dropped(StringBuilder text, boolean go) { //: text add go ask?2 end
        if (go) { //: @ask
            text.append(1); //: @add
        }
        return go; //: @end
    }
}
