package clinic.desk;

import clinic.records.Owner;
import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Repository;

/** The owners by name. */
@Repository
public class OwnerStore {
    private final Map<String, Owner> owners = new HashMap<>();

    public Owner find(String name) {
        return owners.get(name);
    }

    public Owner register(String name) {
        Owner owner = new Owner(name);
        owners.put(name, owner);
        return owner;
    }
}
