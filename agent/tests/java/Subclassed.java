import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.mockito.MockMakers;

/** Objects of subclasses that libraries make while the program runs: what they inherit is state of the class above them. */
public class Subclassed {
    /** Mocked by a subclass. */
    public static class Store {
        int kept;

        public Store() {
            kept = 1;
        }

        public void keep(int value) {
            kept = value;
        }

        public int kept() {
            return kept;
        }
    }

    /** Extended by Byte Buddy itself. */
    public static class Owner {
        int pets;

        public void adopt() {
            pets++;
        }

        public int pets() {
            return pets;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Store store = mock(Store.class, withSettings()
            .mockMaker(MockMakers.SUBCLASS).useConstructor().defaultAnswer(CALLS_REAL_METHODS));
        System.out.println("store " + store.kept());
        store.keep(5);
        System.out.println("store " + store.kept() + " " + (store.getClass() != Store.class));

        Owner owner = new ByteBuddy().subclass(Owner.class).make()
            .load(Owner.class.getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
            .getLoaded().getDeclaredConstructor().newInstance();
        owner.adopt();
        System.out.println("owner " + owner.pets() + " " + (owner.getClass() != Owner.class));
    }
}
