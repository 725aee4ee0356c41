package clinic.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class VisitTest {
    @Test
    void costsItsFee() {
        assertEquals(30, new Visit("vaccination", 30).due());
    }

    @Test
    void isPaid() {
        new Visit("vaccination", 30).pay(10);
    }

    @Test
    void isCancelled() {
        Visit visit = new Visit("teeth", 80);
        visit.cancel();
        assertTrue(visit.isCancelled());
    }

    @Test
    void isReduced() {
        new Visit("teeth", 80).discount(25);
    }

    @Test
    void isNotPaidWithNothing() {
        assertThrows(IllegalArgumentException.class, () -> new Visit("teeth", 80).pay(0));
    }
}
