package io.dynaflow.shim;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;

/**
 * The state of the JVM that a program may change and change back, as it was at one moment. Knows nothing of tests.
 * Invariant: asking for changes changes nothing, and runs no code of the program but the copying of a time zone of its own.
 */
final class Surroundings {
    /** Properties that the JDK itself sets, when some of its parts are first used. */
    private static final List<String> OF_THE_JDK = java.util.Arrays.asList("java.awt.headless", "user.timezone");

    private final Properties properties = System.getProperties();
    private final Map<String, Object> values = texts(properties);
    private final Locale locale = Locale.getDefault();
    private final Locale display = Locale.getDefault(Locale.Category.DISPLAY);
    private final Locale format = Locale.getDefault(Locale.Category.FORMAT);
    private final TimeZone zone = TimeZone.getDefault();
    private final InputStream in = System.in;
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();

    /** What is different now: pairs of a kind of effect and what was done. */
    List<String[]> changes() {
        List<String[]> changes = new ArrayList<String[]>();
        properties(changes);
        if (!isSame(Locale.getDefault(), locale) || !isSame(Locale.getDefault(Locale.Category.DISPLAY), display)
            || !isSame(Locale.getDefault(Locale.Category.FORMAT), format)) {
            changes.add(new String[] {"locale", "changes the default locale"});
        }
        if (!isSame(TimeZone.getDefault(), zone)) {
            changes.add(new String[] {"time-zone", "changes the default time zone"});
        }
        if (System.in != in || System.out != out || System.err != err) {
            changes.add(new String[] {"streams", "replaces a standard stream"});
        }
        if (Thread.getDefaultUncaughtExceptionHandler() != handler) {
            changes.add(new String[] {"defaults", "calls java.lang.Thread.setDefaultUncaughtExceptionHandler"});
        }
        return changes;
    }

    /** Makes everything as it was, but for the streams. */
    void restore() {
        if (System.getProperties() != properties) {
            System.setProperties(properties);
        }
        if (!changedKeys().isEmpty()) {
            properties.clear();
            properties.putAll(values);
        }
        if (Locale.getDefault() != locale) {
            Locale.setDefault(locale);
        }
        if (Locale.getDefault(Locale.Category.DISPLAY) != display) {
            Locale.setDefault(Locale.Category.DISPLAY, display);
        }
        if (Locale.getDefault(Locale.Category.FORMAT) != format) {
            Locale.setDefault(Locale.Category.FORMAT, format);
        }
        if (!isSame(TimeZone.getDefault(), zone)) {
            TimeZone.setDefault(zone);
        }
        if (Thread.getDefaultUncaughtExceptionHandler() != handler) {
            Thread.setDefaultUncaughtExceptionHandler(handler);
        }
    }

    private void properties(List<String[]> changes) {
        if (System.getProperties() != properties) {
            changes.add(new String[] {"properties", "replaces the system properties"});
        }
        for (String key : changedKeys()) {
            changes.add(new String[] {"properties", "changes the system property " + key});
        }
    }

    /** In the order of their names. */
    private List<String> changedKeys() {
        List<String> keys = new ArrayList<String>();
        int found = 0;
        for (Map.Entry<Object, Object> entry : properties.entrySet()) {
            Object before = values.get(isText(entry.getKey()) ? entry.getKey() : "");
            found += before == null ? 0 : 1;
            if (!isSame(entry.getValue(), before) && !OF_THE_JDK.contains(text(entry.getKey()))) {
                keys.add(text(entry.getKey()));
            }
        }
        if (found < values.size()) {
            for (String key : values.keySet()) {
                if (!properties.containsKey(key)) {
                    keys.add(key);
                }
            }
        }
        Collections.sort(keys);
        return keys;
    }

    /** Those under names, which alone can be looked up without running code of keys. */
    private static Map<String, Object> texts(Properties properties) {
        Map<String, Object> texts = new HashMap<String, Object>();
        for (Map.Entry<Object, Object> entry : properties.entrySet()) {
            if (isText(entry.getKey())) {
                texts.put((String) entry.getKey(), entry.getValue());
            }
        }
        return texts;
    }

    private static boolean isText(Object value) {
        return value instanceof String;
    }

    private static String text(Object value) {
        return isText(value) ? (String) value : "of class " + value.getClass().getName();
    }

    /** Equal as far as the JDK's own classes are concerned. */
    private static boolean isSame(Object one, Object two) {
        return one == two
            || one != null && two != null && one.getClass() == two.getClass()
                && one.getClass().getClassLoader() == null && one.equals(two);
    }
}
