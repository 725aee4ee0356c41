package io.dynaflow.fitness;

/**
 * An invocation of a method whose def-use pairs are goals: it knows the last definition of each of its variables, and with the fields of objects, who defined them last.
 * A pair is covered when its use is executed and the last definition was its own (Rapps and Weyuker; for fields by object, after Vivanti et al.). Before that the pair is as
 * near as the branches that its use depends on, once its definition was executed.
 * Knows nothing of sequences. Invariants: it needs the JDK alone and calls no code of the program; a pair is covered only when what it says happened, as far as definitions are seen:
 * those by classes without probes and by reflection are not.
 */
public final class Flow {
    /** How far a pair is whose definition was executed, and of whose use nothing is known: more than any number of branches. */
    private static final double DEFINED = 1000;
    private static final int USE = 0;
    private static final int ASSIGN = 1;
    private static final int PUT = 2;

    /** The invocation that is about to decide a branch. */
    static Flow deciding;
    /** By number of their first goal, what is known of methods. */
    private static Table[] tables = new Table[0];

    private final Table table;
    /** By variable, its last definition: 0 is the entry. */
    private final int[] last;
    /** The object that the method is called on; null in static methods, and in constructors until it may be used. */
    private Object self;
    /** The block that is about to branch, or -1. */
    private int from = -1;

    private Flow(Table table, Object self) {
        this.table = table;
        this.last = new int[table.variables];
        this.self = self;
    }

    /** Makes room for methods whose first goals have numbers below this one. */
    static void size(int numbers) {
        tables = new Table[numbers];
    }

    /** Forgets what happened. */
    static void begin() {
        deciding = null;
        Fields.clear();
    }

    /** A method begins whose table is this, whose first goal has this number, and whose class has this one first. */
    public static Flow enter(Object self, String text, int first, int base) {
        Table[] all = tables;
        Table table = first < all.length ? all[first] : null;
        if (table == null) {
            table = new Table(text, base);
            if (first < all.length) {
                all[first] = table;
            }
        }
        if (table.entry >= 0) {
            defined(table, table.entry);
        }
        return new Flow(table, self);
    }

    /** The constructor that this one calls has ended: the object may be used. */
    public static void constructed(Flow flow, Object self) {
        flow.self = self;
    }

    /** What the table says for this point happens. */
    public static void at(Flow flow, int point) {
        int[] actions = flow.table.points[point];
        for (int at = 0; at < actions.length; at += 4) {
            switch (actions[at]) {
                case USE:
                    flow.use(actions[at + 1]);
                    break;
                case ASSIGN:
                    flow.last[actions[at + 1]] = actions[at + 2];
                    defined(flow.table, actions[at + 3] - 1);
                    break;
                default:
                    flow.put(actions[at + 1], actions[at + 2], actions[at + 3] - 1);
                    break;
            }
        }
    }

    /** A block is about to branch. */
    public static void decides(Flow flow, int from) {
        flow.from = from;
        deciding = flow;
    }

    /** A block begins to which branches lead. */
    public static void arrives(Flow flow, int to) {
        int from = flow.from;
        flow.from = -1;
        if (from < 0) {
            return;
        }
        int[][] edges = flow.table.edges;
        for (int[] edge : edges) {
            if (edge[0] == from && edge[1] == to) {
                for (int at = 2; at < edge.length; at++) {
                    flow.use(edge[at]);
                }
                return;
            }
        }
    }

    /** Code that is not watched further writes a field of an object; a static field of null. */
    public static void other(Object object, int field) {
        if (object != null) {
            Fields.put(object, field, -1, null);
        }
    }

    /** The same of a static field. */
    public static void otherStatic(int field) {
        Fields.put(Fields.NONE, field, -1, null);
    }

    /** A definition is executed: its pairs are nearer than those whose definition is not. */
    private static void defined(Table table, int definition) {
        if (definition < 0) {
            return;
        }
        int[] pairs = table.definitions[definition];
        if (!Distances.isReached(pairs[0])) {
            Distances.reached(pairs[0]);
            for (int at = 1; at < pairs.length; at++) {
                Distances.pair(pairs[at], DEFINED);
            }
        }
    }

    /** A field is defined; with a definition that no pair has, -1. */
    private void put(int field, int isStatic, int definition) {
        Object object = isStatic == 1 ? Fields.NONE : self;
        if (object != null) {
            int number = definition < 0 ? -1 : table.definitions[definition][0];
            Fields.put(object, field, number, this);
        }
        defined(table, definition);
    }

    private void use(int use) {
        near(use, 0);
    }

    /** A branch was as near as this to an outcome. */
    void approach(int outcome, double distance) {
        int at = outcome - table.firstApproach;
        int[][] approaches = table.approaches;
        if (at < 0 || at >= approaches.length || approaches[at] == null) {
            return;
        }
        int[] uses = approaches[at];
        for (int each = 0; each < uses.length; each += 2) {
            near(uses[each], 1 + uses[each + 1] + distance / (distance + 1));
        }
    }

    /** The pairs whose definitions are the last ones of what is used are as near as this. */
    private void near(int use, double away) {
        int variable = table.variableOf[use];
        if (variable >= 0) {
            int[] pairs = table.bySite[use];
            int site = last[variable];
            if (site < pairs.length && pairs[site] >= 0) {
                Distances.pair(pairs[site], away);
            }
        }
        int[] across = table.across[use];
        if (across.length > 0) {
            across(across, away);
        }
    }

    private void across(int[] across, double away) {
        Object object = across[1] == 1 ? Fields.NONE : self;
        if (object != null) {
            Fields.near(object, across, this, away);
        }
    }

    /** What is known of a method, read from the text that its class has: numbers, which are those of goals less the first one of the class. */
    private static final class Table {
        final int variables;
        /** The definition that the entry is, or -1. */
        final int entry;
        /** By definition: its number, and those of its pairs. */
        final int[][] definitions;
        /** By point: kind and three operands for each thing that happens. */
        final int[][] points;
        /** By use: the variable, or -1. */
        final int[] variableOf;
        /** By use and definition of the variable: the pair, or -1. */
        final int[][] bySite;
        /** By use: nothing, or the field, whether it is static, and definition, pair and whether both are in one invocation, for each pair. */
        final int[][] across;
        /** Block, next block, uses. */
        final int[][] edges;
        final int firstApproach;
        /** By outcome less the first one: use and level for each. */
        final int[][] approaches;

        private final String text;
        private int place;

        Table(String text, int base) {
            this.text = text;
            variables = next();
            entry = next() - 1;
            definitions = new int[next()][];
            for (int at = 0; at < definitions.length; at++) {
                definitions[at] = list(base);
            }
            points = new int[next()][];
            for (int at = 0; at < points.length; at++) {
                points[at] = list(0);
            }
            int uses = next();
            variableOf = new int[uses];
            bySite = new int[uses][];
            across = new int[uses][];
            for (int at = 0; at < uses; at++) {
                variableOf[at] = next() - 1;
                bySite[at] = list(0);
                for (int site = 0; site < bySite[at].length; site++) {
                    bySite[at][site] = bySite[at][site] == 0 ? -1 : base + bySite[at][site] - 1;
                }
                across[at] = list(0);
                for (int each = 2; each < across[at].length; each += 3) {
                    across[at][each] += base;
                    across[at][each + 1] += base;
                }
            }
            edges = new int[next()][];
            for (int at = 0; at < edges.length; at++) {
                edges[at] = list(0);
            }
            firstApproach = 2 * base + next();
            approaches = new int[next()][];
            for (int left = next(); left > 0; left--) {
                approaches[next()] = list(0);
            }
        }

        private int next() {
            int value = text.charAt(place++);
            return value < 0x8000 ? value : (value & 0x7fff) << 15 | text.charAt(place++);
        }

        private int[] list(int base) {
            int[] list = new int[next()];
            for (int at = 0; at < list.length; at++) {
                list[at] = base + next();
            }
            return list;
        }
    }

    /** Which definition of a field of an object was the last one. Objects are told apart by identity. */
    private static final class Fields {
        /** In place of an object, for static fields. */
        static final Object NONE = new Object();
        /** Most fields that are followed at a time. */
        private static final int MOST = 1 << 16;

        private static Object[] objects = new Object[64];
        private static int[] fields = new int[64];
        private static int[] definitions = new int[64];
        private static Flow[] by = new Flow[64];
        private static int count;

        static synchronized void clear() {
            if (count > 0) {
                objects = new Object[64];
                fields = new int[64];
                definitions = new int[64];
                by = new Flow[64];
                count = 0;
            }
        }

        /** The place of a field, or where it would be as a negative number less one. */
        private static int place(Object object, int field) {
            int mask = objects.length - 1;
            int at = (System.identityHashCode(object) * 31 + field) * 0x9E3779B1 >>> 7 & mask;
            while (objects[at] != null) {
                if (objects[at] == object && fields[at] == field) {
                    return at;
                }
                at = at + 1 & mask;
            }
            return -at - 1;
        }

        static synchronized void put(Object object, int field, int definition, Flow flow) {
            int at = place(object, field);
            if (at < 0) {
                if (definition < 0 || count >= MOST) {
                    // Nothing to be forgotten, or no room: no pair.
                    return;
                }
                if (2 * ++count > objects.length) {
                    grow();
                    at = place(object, field);
                }
                at = -at - 1;
                objects[at] = object;
                fields[at] = field;
            }
            definitions[at] = definition;
            by[at] = flow;
        }

        private static void grow() {
            Object[] oldObjects = objects;
            int[] oldFields = fields;
            int[] oldDefinitions = definitions;
            Flow[] oldBy = by;
            int length = 2 * objects.length;
            objects = new Object[length];
            fields = new int[length];
            definitions = new int[length];
            by = new Flow[length];
            for (int old = 0; old < oldObjects.length; old++) {
                if (oldObjects[old] != null) {
                    int at = -place(oldObjects[old], oldFields[old]) - 1;
                    objects[at] = oldObjects[old];
                    fields[at] = oldFields[old];
                    definitions[at] = oldDefinitions[old];
                    by[at] = oldBy[old];
                }
            }
        }

        /** The pairs whose definition was the last one of a field are as near as this. */
        static synchronized void near(Object object, int[] across, Flow user, double away) {
            int at = place(object, across[0]);
            if (at < 0) {
                return;
            }
            int isWithin = by[at] == user ? 1 : 0;
            for (int each = 2; each < across.length; each += 3) {
                if (across[each] == definitions[at] && across[each + 2] == isWithin) {
                    Distances.pair(across[each + 1], away);
                }
            }
        }
    }
}
