/** Accesses that are told at once, and such that look as if they could be. */
class Together {
    static class Other {
        int a;
        int b;
        Together of;
    }

    int a;
    int b;
    volatile int seen;
    Together next;
    int[] numbers;
    Object[] objects;

    int getter() {
        return a;
    }

    void setter(Together next, int a) {
        this.next = next;
        this.a = a;
    }

    int calls() {
        int sum = a + b;
        return sum + getter() + a + b;
    }

    void sameObject(Other other) {
        int sum = other.a + other.b;
        other.a++;
    }

    void sameElement(int i) {
        numbers[i] += a;
    }

    void volatileWrite() {
        seen = a;
        b = a;
    }

    int maySuddenlyEnd(Other one, Together two) {
        return one.a + two.a;
    }

    int divided() {
        return a / b + a;
    }

    void refused(int i) {
        objects[i] = objects[i];
    }

    int branches() {
        int sum = a;
        if (sum > 0) {
            sum += b;
        }
        return sum + a;
    }

    int guarded() {
        try {
            return a;
        } finally {
            b = 1;
        }
    }

    synchronized int locked(Object lock) {
        a = 1;
        synchronized (lock) {
            b = 1;
        }
        return a;
    }
}
