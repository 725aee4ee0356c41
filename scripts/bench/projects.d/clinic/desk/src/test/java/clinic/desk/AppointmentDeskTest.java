package clinic.desk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AppointmentDeskTest {
    @Test
    void refusesWhileClosed() {
        assertFalse(new AppointmentDesk(new OwnerStore()).book("Ann", "Rex", "teeth", 80));
    }

    @Test
    void opens() {
        new AppointmentDesk(new OwnerStore()).open();
    }

    @Test
    void closes() {
        new AppointmentDesk(new OwnerStore()).close();
    }

    @Test
    void hasNobodyWaitingAtFirst() {
        AppointmentDesk desk = new AppointmentDesk(new OwnerStore());
        assertNull(desk.next());
        assertEquals(0, desk.getWaiting());
        assertEquals(0, desk.getRefused());
    }

    @Test
    void books() {
        AppointmentDesk desk = new AppointmentDesk(new OwnerStore());
        desk.open();
        assertTrue(desk.book("Ann", "Rex", "teeth", 80));
    }
}
