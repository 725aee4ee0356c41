package clinic.desk;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import clinic.records.Owner;
import org.junit.jupiter.api.Test;

class MockedStoreTest {
    @Test
    void asksTheStore() {
        OwnerStore store = mock(OwnerStore.class);
        when(store.find("Ann")).thenReturn(new Owner("Ann"));
        AppointmentDesk desk = new AppointmentDesk(store);
        desk.open();
        assertTrue(desk.book("Ann", "Rex", "teeth", 80));
        verify(store).find("Ann");
    }
}
