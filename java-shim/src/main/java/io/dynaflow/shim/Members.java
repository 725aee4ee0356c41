package io.dynaflow.shim;

import java.util.ArrayList;
import java.util.List;

/**
 * The members the driver numbered, looked up at first use. Knows nothing of sequences.
 * Invariant: looking up a member runs no code of the program under test.
 */
final class Members {
    private final Names names;
    private final List<Entry> entries = new ArrayList<Entry>();

    Members(Names names) {
        this.names = names;
    }

    /** Takes in the members that are new with this request. */
    void readNew(Input in) {
        for (int count = in.count(); count > 0; count--) {
            entries.add(new Entry(in.u8(), in.i32(), in.i32(), in.i32()));
        }
    }

    Member get(int id) throws Unrunnable {
        if (id < 0 || id >= entries.size()) {
            throw new Malformed("member " + id + " of " + entries.size());
        }
        Entry entry = entries.get(id);
        if (entry.member == null) {
            entry.resolve(names);
        }
        return entry.member;
    }

    private static final class Entry {
        private final int kind;
        private final int owner;
        private final int name;
        private final int descriptor;
        private Member member;
        private String obstacle;

        Entry(int kind, int owner, int name, int descriptor) {
            this.kind = kind;
            this.owner = owner;
            this.name = name;
            this.descriptor = descriptor;
        }

        void resolve(Names names) throws Unrunnable {
            if (obstacle == null) {
                try {
                    member = Member.find(names, kind, names.text(owner), names.text(name), names.text(descriptor));
                    return;
                } catch (Unrunnable e) {
                    obstacle = e.getMessage();
                }
            }
            throw new Unrunnable(obstacle);
        }
    }
}
