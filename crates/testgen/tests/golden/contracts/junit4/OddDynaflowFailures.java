package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/**
 * Tests of shop.Odd, written by dynaflow.
 * Each of these tests fails: it reveals an exception nobody declared or
 * an assertion that does not hold.
 */
public class OddDynaflowFailures {
    // an object of shop.Odd does not equal itself
    @Test
    public void newOdd_doesNotEqualItself() {
        Odd odd = new Odd(1);
        // An object equals itself.
        assertTrue(odd.equals(odd));
    }

    // an object of shop.Odd equals null
    @Test
    public void newOdd_equalsNull() {
        Odd odd = new Odd(1);
        // No object equals null.
        assertFalse(odd.equals(null));
    }

    // equals() of shop.Odd is not symmetric
    @Test
    public void newOdd_equalsIsNotSymmetric() {
        Odd odd = new Odd(1);
        Odd odd2 = new Odd(2);
        // equals() is symmetric.
        assertEquals(odd.equals(odd2), odd2.equals(odd));
    }

    // equal objects of shop.Odd have different hash codes
    @Test
    public void newOdd_equalsButHashCodesDiffer() {
        Odd odd = new Odd(1);
        Odd odd2 = new Odd(2);
        // Equal objects have equal hash codes.
        assertTrue(odd.equals(odd2));
        assertEquals(odd.hashCode(), odd2.hashCode());
    }

    // compareTo() of shop.Odd does not give zero for the object itself
    @Test
    public void newOdd_doesNotCompareToItselfAsZero() {
        Odd odd = new Odd(1);
        // An object compares to itself as zero.
        assertEquals(0, odd.compareTo(odd));
    }

    // compareTo() of shop.Odd is not antisymmetric
    @Test
    public void newOdd_compareToIsNotAntisymmetric() {
        Odd odd = new Odd(1);
        Odd odd2 = new Odd(2);
        // compareTo() is antisymmetric.
        assertEquals(-Integer.signum(odd.compareTo(odd2)), Integer.signum(odd2.compareTo(odd)));
    }

    // toString() of shop.Odd gives null
    @Test
    public void newOdd_toStringGivesNull() {
        Odd odd = new Odd(1);
        // toString() gives a text.
        assertNotNull(odd.toString());
    }

    // clone() of shop.Odd gives the object itself
    @Test
    public void newOdd_cloneGivesItself() throws Exception {
        Odd odd = new Odd(1);
        // clone() gives another object.
        assertNotSame(odd, odd.clone());
    }

    // equals(null) ends with an exception
    @Test
    public void newOdd_equalsThrowsNullPointerException() {
        Odd odd = new Odd(1);
        // No object equals null.
        assertFalse(odd.equals(null));
    }
}
