package io.dynaflow.shim;

import java.lang.reflect.Array;
import java.util.List;

/**
 * Looks at objects when a sequence has ended: from the result of a statement, through inspectors, elements and lengths, to a value.
 * Knows nothing of why it looks there. A look that throws, cannot be made on the value it finds, or does more than look says nothing.
 * Invariant: what is requested is read to its end whatever the looks before it did.
 */
final class Observers {
    private static final int CALL = 0;
    private static final int ELEMENT = 1;
    private static final int LENGTH = 2;
    private static final int LISTED = 3;

    private final Members members;
    private final Values values;

    Observers(Members members, Values values) {
        this.members = members;
        this.values = values;
    }

    /** One step, as it was requested. */
    private static final class Look {
        private int kind;
        private int index;
        private Object[] arguments;
        /** Why the arguments cannot be had, if they cannot. */
        private Unrunnable obstacle;
    }

    /** What was reached, and the static type of the step that led there. */
    private static final class Place {
        private Object value;
        private Class<?> type;

        Place(Object value, Class<?> type) {
            this.value = value;
            this.type = type;
        }
    }

    /** Follows all paths that are requested, and writes how many led somewhere, and what is there. */
    void run(Input in, Output out, Object[] variables, Surroundings before) {
        int counted = out.reserve();
        int made = 0;
        for (int i = 0, count = in.count(); i < count; i++) {
            int variable = in.i32();
            Look[] looks = new Look[in.count()];
            for (int step = 0; step < looks.length; step++) {
                looks[step] = read(in, variables);
            }
            try {
                Outside.begin("");
                Place found = follow(variables[variable], looks);
                // A container of the JDK may lead back into the program.
                Contents contents = found == null ? null : Contents.of(found.value);
                if (Outside.end("", before).isEmpty() && found != null) {
                    out.i32(i);
                    if (contents == null) {
                        Values.observe(out, found.value, found.type);
                    } else {
                        contents.write(out);
                    }
                    made++;
                }
            } catch (Malformed e) {
                throw e;
            } catch (Throwable e) {
                continue;
            }
        }
        out.patch(counted, made);
    }

    private Look read(Input in, Object[] variables) {
        Look look = new Look();
        look.kind = in.u8();
        if (look.kind == CALL) {
            look.index = in.i32();
            look.arguments = new Object[1 + in.u16()];
            for (int i = 1; i < look.arguments.length; i++) {
                try {
                    look.arguments[i] = values.read(in, variables);
                } catch (Unrunnable e) {
                    look.obstacle = e;
                }
            }
        } else if (look.kind == ELEMENT || look.kind == LISTED) {
            look.index = in.i32();
        } else if (look.kind != LENGTH) {
            throw new Malformed("a look of kind " + look.kind);
        }
        return look;
    }

    /** Where the looks lead; null when something on the way is null. */
    private Place follow(Object start, Look[] looks) throws Throwable {
        Place at = new Place(start, start == null ? Object.class : start.getClass());
        for (Look look : looks) {
            if (at.value == null) {
                return null;
            }
            at = step(at.value, look);
        }
        return at;
    }

    private Place step(Object on, Look look) throws Throwable {
        if (look.kind == LENGTH) {
            return new Place(Array.getLength(on), int.class);
        }
        if (look.kind == ELEMENT) {
            return new Place(Array.get(on, look.index), on.getClass().getComponentType());
        }
        if (look.kind == LISTED) {
            return new Place(((List<?>) on).get(look.index), Object.class);
        }
        if (look.obstacle != null) {
            throw look.obstacle;
        }
        Member member = members.get(look.index);
        Object[] arguments = look.arguments.clone();
        if (member.receiver == null || arguments.length != 1 + member.parameters.length) {
            throw new Unrunnable("no inspector of an object, or not with so many arguments");
        }
        arguments[0] = Values.convert(on, member.receiver);
        for (int i = 1; i < arguments.length; i++) {
            arguments[i] = Values.convert(arguments[i], member.parameters[i - 1]);
        }
        return new Place(member.invoke(arguments), member.result);
    }
}
