import java.util.List;

class Small {
    static int made;
    private Small next;
    private int count;

    Small(Small next) {
        this.next = next;
        made++;
    }

    int step(List<Integer> list, long[] wide) {
        if (next != null) {
            next.count++;
        }
        list.add(count);
        return (int) wide[0];
    }
}
