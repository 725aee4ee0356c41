import java.util.List;

/**
 * Methods whose associations are given on their lines. Behind {@code //:} stand the label of a line ({@code @here}) and
 * what is defined on it, each variable followed by the labels of the lines that use it: {@code x here other?2} is one use in
 * the computations of {@code here} and two on edges out of the decision at {@code other}. A word that is no label of the
 * method is a variable. What the entry defines stands on the line of the method's head. Methods without marks have no associations.
 */
class Flows {
    int size;
    Flows next;
    int[] items = new int[4];
    static int made;
    static Flows last;

    static int localUsesMakeNone(int a) {
        int b = a + 1;
        int c = b * a;
        return c - b;
    }

    static int conditional(int a) { //: a then other choose?2
        int b = 0;
        if (a > 0) { //: @choose
            b = a; //: @then b back
        } else {
            b = -a; //: @other b back
        }
        return b; //: @back
    }

    static int loop(int n) { //: n head?2
        int sum = 0; //: sum add give
        int i = 0; //: i head?2 add
        while (i < n) { //: @head
            sum = sum + i; //: @add sum add give
            i++; //: i head?2 add
        }
        return sum; //: @give
    }

    static int fromTheStart(int n) { //: n start?2 less
        while (n > 10) { //: @start
            n = n - 3; //: @less n start?2 less
        }
        return 1;
    }

    static int decidesOnWhatItDefines(int a) {
        int b = a * 2; //: b here?2
        if (b > 7) { //: @here
            return 1;
        }
        return 0;
    }

    static int ternary(int a, boolean which) { //: a take which first?2
        int b = 5; //: b take
        int c = which ? a : b; //: @first @take
        return c;
    }

    static long compares(long a, double b) { //: a longs?2 b doubles?2
        if (a < 3) { //: @longs
            return 1;
        }
        if (b > 0.5) { //: @doubles
            return 2;
        }
        return 3;
    }

    static int chooses(int key) { //: key switch?3 other
        switch (key) { //: @switch
            case 1:
            case 2:
                return 10;
            case 3:
                return 20;
            default:
                return key; //: @other
        }
    }

    int fields(boolean grow) { //: grow ask?2 this more give this.size more give
        if (grow) { //: @ask
            this.size = this.size + 1; //: @more this.size give
        }
        return this.size; //: @give
    }

    int paths(Flows other, boolean move) { //: move ask?2 other go give other.next go give other.next.size give
        if (move) { //: @ask
            other = other.next; //: @go other give other.next give other.next.size give
        }
        return other.next.size; //: @give
    }

    static int throughStatics(boolean reset) { //: reset ask?2 Flows.made count Flows.last end Flows.last.size end
        if (reset) { //: @ask
            last = null; //: Flows.last end Flows.last.size end
        } else {
            made = made + 1; //: @count
        }
        return last.size; //: @end
    }

    static int swaps(int[] all, int i, boolean go) { //: go ask?2 all do give i do give
        if (go) { //: @ask
            all[i++] += i; //: @do i give
        }
        return all[i]; //: @give
    }

    static int lengths(int[] all) { //: all each?2 add
        int sum = 0; //: sum add give
        for (int i = 0; //: i each?2 add
             i < all.length; //: @each
             i++) { //: i each?2 add
            sum += all[i]; //: @add sum add give
        }
        return sum; //: @give
    }

    static int slotsAreSharedInTime(boolean which) { //: which ask?2 Flows.made one?2 while?2
        int result = 0; //: result give
        if (which) { //: @ask
            int first = 4; //: first one?2
            if (first > made) { //: @one
                result = 1; //: result give
            }
        } else {
            String second = "a"; //: second two
            while (made > 0) { //: @while
                result = second.length(); //: @two result give
            }
        }
        return result; //: @give
    }

    static int bothWays(int a, int b) { //: a both?2 b both?2
        if (a > 0 && b > 0) { //: @both
            return 1;
        }
        return 0;
    }

    static Object caught(Object in) {
        Object out = null;
        try {
            out = in.toString(); //: out give
        } catch (RuntimeException broken) {
            out = broken;
        }
        return out; //: @give
    }

    static boolean kinds(Object what, boolean deep) { //: deep ask?2 what is
        if (deep) { //: @ask
            return what instanceof String; //: @is
        }
        return false;
    }

    static int endless(int n) { //: n spin
        for (;;) {
            n = n + 1; //: @spin n spin
        }
    }

    static int temporaries(List<String> all) {
        int sum = 0;
        for (String each : all) {
            sum += each.length();
        }
        return sum;
    }
}
