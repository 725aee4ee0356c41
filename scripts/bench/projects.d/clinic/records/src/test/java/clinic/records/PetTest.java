package clinic.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class PetTest {
    @Test
    void hasNoVisitAtFirst() {
        Pet pet = new Pet("Rex");
        assertNull(pet.last());
        assertEquals(0, pet.due());
    }

    @Test
    void paysMoreWithoutChip() {
        assertEquals(35, new Pet("Rex").visit("vaccination", 30).due());
    }

    @Test
    void getsAChip() {
        Pet pet = new Pet("Rex");
        assertFalse(pet.isChipped());
        pet.implant("981");
    }

    @Test
    void countsVisits() {
        assertEquals(0, new Pet("Tom").visitCount());
    }
}
