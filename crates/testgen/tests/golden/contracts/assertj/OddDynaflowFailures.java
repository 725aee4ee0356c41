package shop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Tests of shop.Odd, written by dynaflow.
 * Each of these tests fails: it reveals an exception nobody declared or
 * an assertion that does not hold.
 */
class OddDynaflowFailures {
    // an object of shop.Odd does not equal itself
    @Test
    void newOdd_doesNotEqualItself() {
        Odd odd = new Odd(1);
        // An object equals itself.
        assertThat(odd.equals(odd)).isTrue();
    }

    // an object of shop.Odd equals null
    @Test
    void newOdd_equalsNull() {
        Odd odd = new Odd(1);
        // No object equals null.
        assertThat(odd.equals(null)).isFalse();
    }

    // equals() of shop.Odd is not symmetric
    @Test
    void newOdd_equalsIsNotSymmetric() {
        Odd odd = new Odd(1);
        Odd odd2 = new Odd(2);
        // equals() is symmetric.
        assertThat(odd2.equals(odd)).isEqualTo(odd.equals(odd2));
    }

    // equal objects of shop.Odd have different hash codes
    @Test
    void newOdd_equalsButHashCodesDiffer() {
        Odd odd = new Odd(1);
        Odd odd2 = new Odd(2);
        // Equal objects have equal hash codes.
        assertThat(odd.equals(odd2)).isTrue();
        assertThat(odd2.hashCode()).isEqualTo(odd.hashCode());
    }

    // compareTo() of shop.Odd does not give zero for the object itself
    @Test
    void newOdd_doesNotCompareToItselfAsZero() {
        Odd odd = new Odd(1);
        // An object compares to itself as zero.
        assertThat(odd.compareTo(odd)).isEqualTo(0);
    }

    // compareTo() of shop.Odd is not antisymmetric
    @Test
    void newOdd_compareToIsNotAntisymmetric() {
        Odd odd = new Odd(1);
        Odd odd2 = new Odd(2);
        // compareTo() is antisymmetric.
        assertThat(Integer.signum(odd2.compareTo(odd))).isEqualTo(-Integer.signum(odd.compareTo(odd2)));
    }

    // toString() of shop.Odd gives null
    @Test
    void newOdd_toStringGivesNull() {
        Odd odd = new Odd(1);
        // toString() gives a text.
        assertThat(odd.toString()).isNotNull();
    }

    // clone() of shop.Odd gives the object itself
    @Test
    void newOdd_cloneGivesItself() throws Exception {
        Odd odd = new Odd(1);
        // clone() gives another object.
        assertThat(odd.clone()).isNotSameAs(odd);
    }

    // equals(null) ends with an exception
    @Test
    void newOdd_equalsThrowsNullPointerException() {
        Odd odd = new Odd(1);
        // No object equals null.
        assertThat(odd.equals(null)).isFalse();
    }
}
