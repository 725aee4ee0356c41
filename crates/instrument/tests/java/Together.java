/** Accesses that are recorded together, and such that look as if they could be. */
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
    final int[] fixed;

    Together(int[] numbers) {
        Together self = this;
        int sum = self.fixed[0];
        fixed = numbers;
        sum += self.fixed[0];
    }

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

    int length() {
        return numbers.length + a;
    }

    void refused(int i) {
        objects[i] = objects[i];
    }

    void moved(Object[] from) {
        from[0] = from[1];
    }

    void refusedVolatile(Together other) {
        other.seen = a;
    }

    int guardedEnd(Together two) {
        int sum = 0;
        try {
            sum = a + b + two.a + two.b;
        } catch (NullPointerException expected) {
            sum = 1;
        }
        return sum;
    }

    int elsewhere(java.awt.Point point) {
        return a + point.x + point.y;
    }

    int twice(int i) {
        return fixed[i] + fixed[i];
    }

    int changing(int i) {
        return numbers[i] + numbers[i];
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
