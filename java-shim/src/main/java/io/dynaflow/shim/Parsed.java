package io.dynaflow.shim;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;

/**
 * Objects of classes of the JDK that never change and are equal to what their text is parsed to. Knows nothing of where they were found.
 * Invariant: a text that is given out makes an object equal to the one it is of; no code of the program runs.
 */
final class Parsed {
    /** Classes with the static methods that parse the text of their objects; {@code model::parsed} repeats them. */
    private static final String[][] METHODS = {
        {"java.math.BigDecimal", "new"},
        {"java.math.BigInteger", "new"},
        {"java.net.URI", "create"},
        {"java.time.Duration", "parse"},
        {"java.time.Instant", "parse"},
        {"java.time.LocalDate", "parse"},
        {"java.time.LocalDateTime", "parse"},
        {"java.time.LocalTime", "parse"},
        {"java.time.MonthDay", "parse"},
        {"java.time.OffsetDateTime", "parse"},
        {"java.time.OffsetTime", "parse"},
        {"java.time.Period", "parse"},
        {"java.time.Year", "parse"},
        {"java.time.YearMonth", "parse"},
        {"java.time.ZoneOffset", "of"},
        {"java.time.ZonedDateTime", "parse"},
        {"java.util.UUID", "fromString"},
    };
    /** Longer ones nobody reads, and their digits take long to find. */
    private static final int MOST_BITS = 512;
    private static final int LONGEST = 200;

    private static final Map<String, String> BY_CLASS = new HashMap<String, String>();

    static {
        for (String[] row : METHODS) {
            BY_CLASS.put(row[0], row[1]);
        }
    }

    private Parsed() {}

    /** The text that makes an object equal to this one; null where there is none. */
    static String text(Object value) {
        Class<?> type = value.getClass();
        if (type.getClassLoader() != null || !BY_CLASS.containsKey(type.getName()) || isLong(value)) {
            return null;
        }
        try {
            String text = value.toString();
            return text.length() <= LONGEST && Output.fits(text) && value.equals(make(type.getName(), text)) ? text : null;
        } catch (ReflectiveOperationException unparsable) {
            return null;
        } catch (RuntimeException unparsable) {
            return null;
        }
    }

    private static boolean isLong(Object value) {
        if (value instanceof BigDecimal) {
            return isLong(((BigDecimal) value).unscaledValue());
        }
        return value instanceof BigInteger && ((BigInteger) value).bitLength() > MOST_BITS;
    }

    /** The object of a class that this is the text of. */
    static Object of(String type, String text) throws Unrunnable {
        try {
            return make(type, text);
        } catch (ReflectiveOperationException unparsable) {
            throw new Unrunnable("`" + text + "` is no text of a " + type);
        }
    }

    private static Object make(String name, String text) throws ReflectiveOperationException {
        String how = BY_CLASS.get(name);
        if (how == null) {
            throw new NoSuchMethodException(name);
        }
        Class<?> type = Class.forName(name, true, null);
        if (how.equals("new")) {
            Constructor<?> constructor = type.getConstructor(String.class);
            return constructor.newInstance(text);
        }
        Class<?> parameter = how.equals("parse") ? CharSequence.class : String.class;
        Method method = type.getMethod(how, parameter);
        return method.invoke(null, text);
    }
}
