package demo;

import java.util.function.Supplier;

/** Asserts by helpers, lambdas and `throw`: none of these tests asserts nothing. */
public class HelpedTest extends Helper {
    @org.junit.Test public void byAMethodAbove() {
        holds(new Bag().size() == 0);
    }

    @org.junit.Test public void byALambda() {
        Supplier<String> check = () -> {
            org.junit.Assert.assertEquals(0, new Bag().size());
            return "";
        };
        check.get();
    }

    @org.junit.Test public void byAnAssert() {
        assert new Bag().size() == 0;
    }

    @org.junit.Test public void byNothing() {
        silent(new Bag().size() == 0);
    }
}
