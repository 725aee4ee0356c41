package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Pays twice, so that one definition of the nested coins reaches the other's use in one test. */
public class TwiceTest {
    @Test
    public void paysTwice() {
        Basket basket = new Basket();
        basket.pay(1);
        basket.pay(2);
    }

    @Test
    public void asksTwice() {
        Basket basket = new Basket();
        assertEquals(basket.paid(), basket.paid());
    }
}
