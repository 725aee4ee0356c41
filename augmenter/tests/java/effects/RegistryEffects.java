package effects;

import java.beans.Introspector;
import java.beans.PropertyEditorManager;
import java.beans.PropertyEditorSupport;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.management.ObjectName;

/** Classes whose method {@code tidy} enters something where the whole JVM finds it. */
final class RegistryEffects {
    private RegistryEffects() {}

    /** A driver that connects to nothing. */
    static class Nowhere implements Driver {
        @Override
        public Connection connect(String url, Properties properties) {
            return null;
        }

        @Override
        public boolean acceptsURL(String url) {
            return url.startsWith("jdbc:nowhere:");
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return null;
        }
    }

    /** As drivers do: found because it enters itself when it is initialised. */
    static final class Itself extends Nowhere {
        static {
            try {
                DriverManager.registerDriver(new Itself());
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** An editor of nothing. */
    public static final class Editor extends PropertyEditorSupport {}

    /** A bean to manage. */
    public interface ThingMBean {
        int getSize();
    }

    /** Managed. */
    public static final class Thing implements ThingMBean {
        @Override
        public int getSize() {
            return 1;
        }
    }
}

class RegistersDriver extends Counted { // defaults calls java.sql.DriverManager.registerDriver
    void tidy() throws SQLException {
        count++;
        DriverManager.registerDriver(new RegistryEffects.Nowhere());
    }
}

class RegistersEditor extends Counted { // defaults calls java.beans.PropertyEditorManager.registerEditor
    void tidy() {
        count++;
        PropertyEditorManager.registerEditor(RegistryEffects.class, RegistryEffects.Editor.class);
    }
}

class SetsBeanInfoPath extends Counted { // defaults calls java.beans.Introspector.setBeanInfoSearchPath
    void tidy() {
        count++;
        Introspector.setBeanInfoSearchPath(new String[] {"effects"});
    }
}

class RegistersBean extends Counted { // defaults calls com.sun.jmx.mbeanserver.JmxMBeanServer.registerMBean
    boolean tidy() {
        count++;
        try {
            ObjectName name = new ObjectName("effects:type=Thing");
            return ManagementFactory.getPlatformMBeanServer().registerMBean(new RegistryEffects.Thing(), name) != null;
        } catch (javax.management.JMException e) {
            return false;
        }
    }
}
