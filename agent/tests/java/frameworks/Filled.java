import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.Gson;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Objects that libraries fill: what a library writes is written at the call of the program that made it do so, and what a
 * constructor had written before reaches nobody then.
 */
public final class Filled {
    /** Fields that have a value from the constructor and another from the text. */
    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
    public static class Order {
        int amount = 1; //: at ordered
        int kept = 3; //: at kept
        Line line;

        int amount() {
            return amount; //: at amount
        }

        int kept() {
            return kept; //: at keptRead
        }

        int weight() {
            return line.weight; //: at weight
        }
    }

    /** Part of an order. */
    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
    public static class Line {
        int weight = 2; //: at lined
    }

    //: pair GsonDesk.order.amount: gson -> amount
    //: none GsonDesk.order.amount: ordered -> amount
    //: pair GsonDesk.order.kept: gson -> keptRead
    //: none GsonDesk.order.kept: kept -> keptRead
    //: pair Order.kept: kept -> keptRead
    //: pair GsonDesk.order.line.weight: gson -> weight
    //: none GsonDesk.order.line.weight: lined -> weight
    //: none Order.amount: ordered -> amount
    //: none Line.weight: lined -> weight
    static final class GsonDesk {
        Order order;

        void read(String text) {
            order = new Gson().fromJson(text, Order.class); //: at gson
        }

        int sum() {
            return order.amount() + order.kept() + order.weight();
        }
    }

    //: pair JacksonDesk.order.amount: jackson -> amount
    //: none JacksonDesk.order.amount: ordered -> amount
    //: pair JacksonDesk.order.kept: jackson -> keptRead
    //: pair JacksonDesk.order.line.weight: jackson -> weight
    //: none JacksonDesk.order.line.weight: lined -> weight
    static final class JacksonDesk {
        Order order;

        void read(String text) throws Exception {
            order = new ObjectMapper().readValue(text, Order.class); //: at jackson
        }

        int sum() {
            return order.amount() + order.kept() + order.weight();
        }
    }

    /** Someone with pets, whose list Hibernate replaces by its own. */
    @Entity
    public static class Owner {
        @Id
        @GeneratedValue
        Long id;
        int visits = 1; //: at visitsMade
        @OneToMany(cascade = CascadeType.ALL, mappedBy = "owner", fetch = FetchType.EAGER)
        List<Pet> pets = new ArrayList<>(); //: at petsMade

        int visits() {
            return visits; //: at visits
        }

        List<Pet> pets() {
            return pets; //: at pets
        }
    }

    /** Whom Hibernate makes a proxy of, because it is lazy. */
    @Entity
    public static class Pet {
        @Id
        @GeneratedValue
        Long id;
        int age = 1; //: at ageMade
        @ManyToOne(fetch = FetchType.LAZY)
        Owner owner;

        int age() {
            return age; //: at age
        }
    }

    //: pair Clinic.found.visits: find -> visits
    //: none Clinic.found.visits: visitsMade -> visits
    //: pair Clinic.found.pets: find -> pets
    //: none Clinic.found.pets: petsMade -> pets
    //: none Owner.visits: visitsMade -> visits
    //: none Owner.pets: petsMade -> pets
    //: none Pet.age: ageMade -> age
    static final class Clinic {
        final SessionFactory factory;
        Owner found;

        Clinic(SessionFactory factory) {
            this.factory = factory;
        }

        <T> T within(Function<Session, T> work) {
            try (Session session = factory.openSession()) {
                session.beginTransaction();
                T result = work.apply(session);
                session.getTransaction().commit();
                return result;
            }
        }

        Long store(Owner owner) {
            return within(session -> {
                session.persist(owner);
                return owner.id;
            });
        }

        int visit(Long id) {
            try (Session session = factory.openSession()) {
                found = session.find(Owner.class, id); //: at find
                int ages = 0;
                for (Pet pet : found.pets()) {
                    ages += pet.age();
                }
                return found.visits() * 100 + ages;
            }
        }
    }

    /** What Spring injects. */
    public static class Stock {
        int count;

        public int take() {
            return ++count; //: at take
        }
    }

    /** Of whose configuration class Spring makes a subclass. */
    @org.springframework.context.annotation.Configuration
    public static class Setup {
        int made;

        @Bean
        public Stock stock() {
            made++; //: at stockMade
            return new Stock();
        }

        @Bean
        public Shop shop() {
            stock();
            made++; //: at shopMade
            return new Shop();
        }
    }

    //: pair Setup.made: stockMade -> shopMade
    //: pair Shop.stock: refresh -> stockRead
    //: none Shop.stock: stockNull -> stockRead
    //: pair Shop.stock.count: take -> take
    public static class Shop {
        @Autowired
        Stock stock = null; //: at stockNull

        int sell() {
            Stock from = stock; //: at stockRead
            return from.take() + from.take();
        }
    }

    private static SessionFactory factory() {
        Configuration configuration = new Configuration();
        configuration.setProperty("hibernate.connection.url", "jdbc:h2:mem:filled;DB_CLOSE_DELAY=-1");
        configuration.setProperty("hibernate.hbm2ddl.auto", "create");
        return configuration.addAnnotatedClass(Owner.class).addAnnotatedClass(Pet.class).buildSessionFactory();
    }

    private Filled() {}

    public static void main(String[] arguments) throws Exception {
        String text = "{\"amount\": 7, \"line\": {\"weight\": 9}}";
        GsonDesk gson = new GsonDesk();
        gson.read(text);
        System.out.println("gson " + gson.sum());
        JacksonDesk jackson = new JacksonDesk();
        jackson.read(text);
        System.out.println("jackson " + jackson.sum());

        AnnotationConfigApplicationContext context = //: at refresh
            new AnnotationConfigApplicationContext(Setup.class);
        System.out.println("spring " + context.getBean(Shop.class).sell());
        context.close();

        Clinic clinic = new Clinic(factory());
        Owner owner = new Owner();
        Pet pet = new Pet();
        pet.owner = owner;
        owner.pets.add(pet);
        Long id = clinic.store(owner);
        System.out.println("hibernate " + clinic.visit(id));
        clinic.factory.close();
    }
}
