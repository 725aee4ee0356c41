package shop;

import static org.hamcrest.CoreMatchers.is;
import static org.hamcrest.CoreMatchers.notNullValue;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.junit.Assert.assertNotSame;

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
        assertThat(odd.equals(odd), is(true));
    }

    // an object of shop.Odd equals null
    @Test
    public void newOdd_equalsNull() {
        Odd odd = new Odd(1);
        // No object equals null.
        assertThat(odd.equals(null), is(false));
    }

    // equals() of shop.Odd is not symmetric
    @Test
    public void newOdd_equalsIsNotSymmetric() {
        Odd odd = new Odd(1);
        Odd odd2 = new Odd(2);
        // equals() is symmetric.
        assertThat(odd2.equals(odd), is(odd.equals(odd2)));
    }

    // equal objects of shop.Odd have different hash codes
    @Test
    public void newOdd_equalsButHashCodesDiffer() {
        Odd odd = new Odd(1);
        Odd odd2 = new Odd(2);
        // Equal objects have equal hash codes.
        assertThat(odd.equals(odd2), is(true));
        assertThat(odd2.hashCode(), is(odd.hashCode()));
    }

    // compareTo() of shop.Odd does not give zero for the object itself
    @Test
    public void newOdd_doesNotCompareToItselfAsZero() {
        Odd odd = new Odd(1);
        // An object compares to itself as zero.
        assertThat(odd.compareTo(odd), is(0));
    }

    // compareTo() of shop.Odd is not antisymmetric
    @Test
    public void newOdd_compareToIsNotAntisymmetric() {
        Odd odd = new Odd(1);
        Odd odd2 = new Odd(2);
        // compareTo() is antisymmetric.
        assertThat(Integer.signum(odd2.compareTo(odd)), is(-Integer.signum(odd.compareTo(odd2))));
    }

    // toString() of shop.Odd gives null
    @Test
    public void newOdd_toStringGivesNull() {
        Odd odd = new Odd(1);
        // toString() gives a text.
        assertThat(odd.toString(), notNullValue());
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
        assertThat(odd.equals(null), is(false));
    }
}
