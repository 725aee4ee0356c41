import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockConstruction;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.mockito.MockedConstruction;
import org.mockito.MockedStatic;

/** Inline mocks, for which classes that are woven already are transformed again while they are in use. */
public class Mocked {
    static class Store {
        int kept;

        Store() {
            kept = 0;
        }

        void keep(int value) {
            kept = value;
        }

        int kept() {
            return kept;
        }

        void keepLater(int value) {
            kept = value;
        }

        int keptLater() {
            return kept;
        }

        final int sealed() {
            return kept + 1;
        }

        static int limit() {
            return 10;
        }
    }

    static final class Service {
        final Store store;
        int sum;

        Service(Store store) {
            this.store = store;
        }

        void add(int value) {
            sum += Math.min(value, Store.limit());
            store.keep(sum);
        }

        int sum() {
            return sum;
        }

        int fromStore() {
            return store.kept();
        }
    }

    /** In a frame of the class while it is transformed. */
    static class Active {
        int state;

        int transformInside() {
            state = 1;
            Active other = mock(Active.class);
            when(other.inner()).thenReturn(5);
            state += other.inner();
            return inner() + state;
        }

        int inner() {
            return state;
        }

        int after() {
            state++;
            return state;
        }
    }

    public static void main(String[] arguments) {
        Store real = new Store();
        real.keep(3);
        System.out.println("before " + real.kept());
        Active active = new Active();
        System.out.println("inside " + active.transformInside() + " " + active.after());

        Store store = mock(Store.class);
        when(store.kept()).thenReturn(42);
        when(store.sealed()).thenReturn(43);
        Service service = new Service(store);
        service.add(4);
        service.add(5);
        verify(store, times(2)).keep(anyInt());
        System.out.println("mocked " + service.sum() + " " + service.fromStore() + " " + store.sealed());

        Store spied = spy(new Store());
        spied.keep(8);
        System.out.println("spied " + spied.kept() + " " + spied.sealed());

        try (MockedStatic<Store> statics = mockStatic(Store.class)) {
            statics.when(Store::limit).thenReturn(1);
            Service limited = new Service(new Store());
            limited.add(7);
            System.out.println("static " + limited.sum());
        }
        try (MockedConstruction<Store> constructed = mockConstruction(Store.class)) {
            System.out.println("constructed " + new Store().kept() + " " + constructed.constructed().size());
        }
        Service finals = mock(Service.class);
        when(finals.sum()).thenReturn(99);
        System.out.println("final " + finals.sum());

        Store later = new Store();
        later.keepLater(6);
        System.out.println("after " + later.keptLater() + " " + real.kept());
    }
}
