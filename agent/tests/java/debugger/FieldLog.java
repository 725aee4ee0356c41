import com.sun.jdi.*;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.BufferedWriter;
import java.lang.annotation.Annotation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.*;

/**
 * A debugger that writes down what the included classes of a program do: {@code FieldLog LOG PREFIX ARGUMENTS...} runs a JVM
 * with these arguments and its own class path, under watches of all fields of the classes whose names begin so, and logs
 * accesses, entries and exits of their methods.
 *
 * <p>Every line has a letter and words. Tables: {@code C} class (number, name, whether it has tests, superclass), {@code F}
 * field (number, class, name, whether static), {@code M} method (number, class, signature, whether static, whether a test, the
 * offsets of field instructions, each before a comma), {@code O} object (number, class). Events begin with thread and depth of
 * the stack: {@code N} entry (method, this), {@code X} return (method), {@code R} read and {@code W} write (method or 0 when no
 * included one, offset, field, object, value), {@code K} copy by {@code Object.clone} (method, offset, original, copy). A value
 * is {@code @object}, or a primitive's text; what a field holds at first is {@code 0}. Exits by exceptions show in the depth of
 * the next event alone.
 *
 * <p>It knows nothing of definitions and uses. Class names have no spaces.
 */
public class FieldLog {
    private static final Set<String> TEST_ANNOTATIONS = new HashSet<>(Arrays.asList("org.junit.Test",
            "org.junit.jupiter.api.Test", "org.junit.jupiter.api.TestFactory", "org.junit.jupiter.api.TestTemplate"));

    private static final int GETSTATIC = 178;
    private static final int PUTFIELD = 181;

    private final String prefix;
    private final BufferedWriter log;
    private final VirtualMachine vm;
    /** Mirrors that are let go get another number when the object is met again. */
    private final Map<Long, ObjectReference> seen = new HashMap<>();
    private final Map<Object, Integer> numbers = new HashMap<>();
    /** Test methods as class, name and number of parameters. */
    private final Set<String> tests = new HashSet<>();
    /** Returns from methods of {@code Object}, asked for while a method {@code clone} runs: constructors are many. */
    private MethodExitRequest copies;
    private int copying;

    private FieldLog(String prefix, BufferedWriter log, VirtualMachine vm) {
        this.prefix = prefix;
        this.log = log;
        this.vm = vm;
    }

    public static void main(String[] arguments) throws Exception {
        ListeningConnector connector = null;
        for (ListeningConnector each : Bootstrap.virtualMachineManager().listeningConnectors()) {
            if (each.name().equals("com.sun.jdi.SocketListen")) {
                connector = each;
            }
        }
        Map<String, Connector.Argument> settings = connector.defaultArguments();
        settings.get("localAddress").setValue("localhost");
        // A JVM that does not start never connects.
        settings.get("timeout").setValue("60000");
        String address = connector.startListening(settings);
        List<String> command = new ArrayList<>(Arrays.asList(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"),
                "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address));
        command.addAll(Arrays.asList(arguments).subList(2, arguments.length));
        Process process = new ProcessBuilder(command).inheritIO().start();
        try (BufferedWriter log = Files.newBufferedWriter(Paths.get(arguments[0]), StandardCharsets.UTF_8)) {
            VirtualMachine vm = connector.accept(settings);
            connector.stopListening(settings);
            new FieldLog(arguments[1], log, vm).watch();
        } finally {
            if (!process.waitFor(10, java.util.concurrent.TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
        System.exit(process.exitValue());
    }

    private void watch() throws Exception {
        ClassPrepareRequest prepare = vm.eventRequestManager().createClassPrepareRequest();
        prepare.addClassFilter(prefix + "*");
        prepare.enable();
        boolean ended = false;
        while (!ended) {
            EventSet events = vm.eventQueue().remove();
            for (Event event : events) {
                ended |= event instanceof VMDisconnectEvent || event instanceof VMDeathEvent;
                handle(event);
            }
            if (!ended) {
                events.resume();
            }
        }
    }

    private void handle(Event event) throws Exception {
        if (event instanceof ClassPrepareEvent) {
            prepared(((ClassPrepareEvent) event).referenceType());
        } else if (event instanceof MethodEntryEvent) {
            entered((MethodEntryEvent) event);
        } else if (event instanceof MethodExitEvent) {
            returned((MethodExitEvent) event);
        } else if (event instanceof WatchpointEvent) {
            accessed((WatchpointEvent) event);
        }
    }

    /** Classes made at run time are not the program's: those of lambdas, hidden ones, proxies. */
    private boolean isIncluded(ReferenceType type) {
        String name = type.name();
        boolean isGenerated = name.contains("$$Lambda") || name.contains("/") || name.contains("$Proxy");
        return name.startsWith(prefix) && !isGenerated;
    }

    private boolean isBytecode(Method method) {
        return isIncluded(method.declaringType()) && !method.isNative();
    }

    private void prepared(ReferenceType type) throws Exception {
        if (!isIncluded(type)) {
            return;
        }
        EventRequestManager manager = vm.eventRequestManager();
        if (manager.methodEntryRequests().isEmpty()) {
            // Only now: every call that the JVM makes from here on is slow.
            MethodEntryRequest entry = manager.createMethodEntryRequest();
            entry.addClassFilter(prefix + "*");
            entry.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            entry.enable();
            MethodExitRequest exit = manager.createMethodExitRequest();
            exit.addClassFilter(prefix + "*");
            exit.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            exit.enable();
            copies = manager.createMethodExitRequest();
            copies.addClassFilter("java.lang.Object");
            copies.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        }
        ClassType above = type instanceof ClassType ? ((ClassType) type).superclass() : null;
        String superclass = above == null ? "-" : above.name();
        line("C " + number(type) + " " + type.name() + " " + (hasTests(type.name()) ? 1 : 0) + " " + superclass);
        for (Field field : type.fields()) {
            if (field.isSynthetic() && field.name().startsWith("$")) {
                continue;
            }
            String where = number(field) + " " + type.name() + " " + field.name();
            line("F " + where + " " + (field.isStatic() ? 1 : 0));
            for (EventRequest request : new EventRequest[] {
                manager.createAccessWatchpointRequest(field), manager.createModificationWatchpointRequest(field)}) {
                request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
                request.enable();
            }
        }
    }

    private void entered(MethodEntryEvent event) throws Exception {
        Method method = event.method();
        if (!isBytecode(method)) {
            return;
        }
        ObjectReference self = method.isStatic() ? null : event.thread().frame(0).thisObject();
        String line = "N " + moment(event) + " " + method(method) + " " + value(self);
        line(line);
        if (method.name().equals("clone")) {
            copying++;
            copies.enable();
        }
    }

    private void returned(MethodExitEvent event) throws Exception {
        Method method = event.method();
        if (isBytecode(method)) {
            line("X " + moment(event) + " " + method(method));
            if (method.name().equals("clone") && --copying == 0) {
                copies.disable();
            }
        } else if (event.request() == copies && method.name().equals("clone")) {
            // A native frame has no `this` to show; what calls `super.clone()` has the same.
            StackFrame caller = event.thread().frame(1);
            ObjectReference original = caller.thisObject();
            Location place = caller.location();
            if (isBytecode(place.method()) && place.method().name().equals("clone") && original != null) {
                String line = method(place.method()) + " " + place.codeIndex() + " " + value(original) + " "
                        + value(event.returnValue());
                line("K " + event.thread().uniqueID() + " " + (event.thread().frameCount() - 1) + " " + line);
            }
        }
    }

    private void accessed(WatchpointEvent event) throws Exception {
        Field field = event.field();
        ObjectReference object = event.object();
        if (object == null && !field.isStatic()) {
            return;
        }
        boolean writes = event instanceof ModificationWatchpointEvent;
        Value value = writes ? ((ModificationWatchpointEvent) event).valueToBe()
                : field.isStatic() ? field.declaringType().getValue(field) : object.getValue(field);
        Method method = event.location().method();
        String place = isBytecode(method) ? method(method) + " " + event.location().codeIndex() : "0 0";
        String what = number(field) + " " + value(object) + " " + value(value);
        line((writes ? "W " : "R ") + moment(event) + " " + place + " " + what);
    }

    private String moment(LocatableEvent event) throws Exception {
        return event.thread().uniqueID() + " " + event.thread().frameCount();
    }

    private int number(Object of) {
        return numbers.computeIfAbsent(of, any -> numbers.size() + 1);
    }

    private String method(Method method) throws Exception {
        boolean isNew = !numbers.containsKey(method);
        int number = number(method);
        if (isNew) {
            String test = method.declaringType().name() + " " + method.name() + " " + method.argumentTypeNames().size();
            line("M " + number + " " + method.declaringType().name() + " " + method.name() + method.signature() + " "
                    + (method.isStatic() ? 1 : 0) + " " + (tests.contains(test) ? 1 : 0) + " " + fieldInstructions(method));
        }
        return Integer.toString(number);
    }

    /** Operands may look like field instructions too; no instruction begins there. */
    private static String fieldInstructions(Method method) {
        StringBuilder offsets = new StringBuilder();
        byte[] code = method.bytecodes();
        for (int offset = 0; offset < code.length; offset++) {
            int opcode = code[offset] & 0xff;
            if (opcode >= GETSTATIC && opcode <= PUTFIELD) {
                offsets.append(offset).append(',');
            }
        }
        return offsets.toString();
    }

    private String value(Value value) throws Exception {
        if (value == null) {
            return "0";
        }
        if (!(value instanceof ObjectReference)) {
            String text = value.toString();
            boolean isFirst = text.equals("false") || text.equals("0.0") || text.equals("\0");
            return isFirst ? "0" : value instanceof CharValue ? "'" + (int) ((CharValue) value).value() : text;
        }
        ObjectReference object = (ObjectReference) value;
        if (seen.put(object.uniqueID(), object) == null) {
            line("O " + object.uniqueID() + " " + object.referenceType().name());
        }
        return "@" + object.uniqueID();
    }

    private void line(String line) throws Exception {
        log.write(line);
        log.write('\n');
    }

    /** Whether a class declares or inherits test methods, by reflection in this process; they are remembered. */
    private boolean hasTests(String name) {
        try {
            Class<?> type = Class.forName(name, false, FieldLog.class.getClassLoader());
            boolean found = false;
            for (Class<?> each = type; each != null; each = each.getSuperclass()) {
                for (java.lang.reflect.Method method : each.getDeclaredMethods()) {
                    if (isTest(method) || isTestOfJUnit3(type, method)) {
                        tests.add(each.getName() + " " + method.getName() + " " + method.getParameterCount());
                        found = true;
                    }
                }
            }
            return found;
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }

    private static boolean isTest(java.lang.reflect.Method method) {
        for (Annotation annotation : method.getAnnotations()) {
            boolean is = TEST_ANNOTATIONS.contains(annotation.annotationType().getName());
            for (Annotation meta : annotation.annotationType().getAnnotations()) {
                is |= TEST_ANNOTATIONS.contains(meta.annotationType().getName());
            }
            if (is) {
                return true;
            }
        }
        return false;
    }

    private static boolean isTestOfJUnit3(Class<?> type, java.lang.reflect.Method method) {
        boolean looksSo = method.getName().startsWith("test") && method.getParameterCount() == 0;
        for (Class<?> each = type; looksSo && each != null; each = each.getSuperclass()) {
            if (each.getName().equals("junit.framework.TestCase")) {
                return true;
            }
        }
        return false;
    }
}
