package clinic.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OwnerTest {
    @Test
    void adoptsOnce() {
        Owner owner = new Owner("Ann");
        assertSame(owner.adopt("Rex"), owner.adopt("Rex"));
    }

    @Test
    void owesWhatThePetsOwe() {
        Owner owner = new Owner("Ann");
        owner.adopt("Rex").visit("teeth", 80);
        assertEquals(85, owner.due());
    }

    @Test
    void mayComeAtFirst() {
        assertTrue(new Owner("Ann").check());
    }

    @Test
    void hasNoWarnings() {
        Owner owner = new Owner("Ann");
        assertEquals(0, owner.getWarnings());
        assertFalse(owner.isBarred());
    }

    @Test
    void isForgiven() {
        new Owner("Ann").forgive();
    }

    @Test
    void givesAway() {
        assertFalse(new Owner("Ann").giveAway("Rex"));
    }
}
