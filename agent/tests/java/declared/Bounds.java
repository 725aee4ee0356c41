/** Recorded with variables of at most two steps and chains of at most two frames. */
final class Bounds {
    //: pair Link.value: linkSet -> linkGet
    //: pair Link.next.value: linkSet -> linkGet
    //: none Link.next.next.value: linkSet -> linkGet
    //: defined-by Link.value: linkSet -> Link.third
    //: defined-by Link.next.value: linkSet -> Link.first,...,Link.third
    //: not-defined-by Link.next.value: linkSet -> Link.first,Link.second,Link.third
    static final class Link {
        final Link next;
        int value;

        Link(Link next) {
            this.next = next;
        }

        void first() {
            next.second();
        }

        void second() {
            if (next == null) {
                third();
            } else {
                next.third();
            }
        }

        void third() {
            value = 1; //: at linkSet
            get();
        }

        int get() {
            return value; //: at linkGet
        }
    }

    public static void main(String[] arguments) {
        Link last = new Link(null);
        Link middle = new Link(last);
        Link first = new Link(middle);
        first.first();
        middle.first();
        last.third();
        System.out.println("ok");
    }
}
