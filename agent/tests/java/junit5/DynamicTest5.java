import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class DynamicTest5 {
    static class Counter {
        int count;

        void add(int amount) {
            count += amount;
        }

        int get() {
            return count;
        }
    }

    static class Other {
        int state;

        void define() {
            state = 1;
        }

        int use() {
            return state;
        }
    }

    @TestFactory
    Stream<DynamicTest> many() {
        return Stream.of(1, 2).map(amount -> dynamicTest("adds " + amount, () -> {
            Counter counter = new Counter();
            counter.add(amount);
            assertEquals(amount, counter.get());
        }));
    }

    @RepeatedTest(3)
    void again() {
        for (int i = 0; i < 2000; i++) {
            Other other = new Other();
            other.define();
            other.use();
        }
    }
}
