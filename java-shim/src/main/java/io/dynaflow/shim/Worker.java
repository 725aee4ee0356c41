package io.dynaflow.shim;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The warm JVM that runs call sequences for a driver: reads requests from the file named first, writes replies to the
 * file named second (the ends of two pipes). Knows nothing of search.
 * Invariant: one reply for each sequence, sent as soon as it ended, so that a crash loses the running sequence alone; when
 * the reply to the request is sent, what the agent recorded of all of them is in its file.
 */
public final class Worker {
    private static final int LARGEST_REQUEST = 1 << 28;

    private final DataInputStream requests;
    private final OutputStream replies;
    private final Output reply = new Output();
    private final Names names = new Names(Worker.class.getClassLoader());
    private final Members members = new Members(names);
    private final SequenceRunner runner;
    private final Deadline deadline;
    private final Strays strays = new Strays(Thread.currentThread());
    private final OwnFolder folder = OwnFolder.given();
    private volatile int running;

    private Worker(String in, String out) throws IOException {
        requests = new DataInputStream(new BufferedInputStream(new FileInputStream(in), 1 << 16));
        replies = new FileOutputStream(out);
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        ThreadGroup above = group.getParent() == null ? group : group.getParent();
        Deadline.Surrender surrender = new Deadline.Surrender() {
            @Override
            public void giveUp() {
                abandon();
            }
        };
        // How long a mutant runs must not depend on what else the machine does.
        deadline = Mutation.PRESENT ? new TimeLimit(above, surrender)
            : new Watchdog(above, Thread.currentThread(), surrender);
        runner = new SequenceRunner(names, members, deadline);
    }

    public static void main(String[] args) {
        Worker worker = null;
        try {
            worker = new Worker(args[0], args[1]);
            Streams.silence();
            worker.ready();
            worker.serve();
        } catch (EOFException e) {
            Runtime.getRuntime().halt(0);
        } catch (Malformed e) {
            worker.last(Protocol.REPLY_MALFORMED, e.getMessage());
            Runtime.getRuntime().halt(Protocol.EXIT_FAILED);
        } catch (Throwable e) {
            if (worker != null) {
                worker.last(Protocol.REPLY_FAILED, String.valueOf(e));
            }
            Runtime.getRuntime().halt(Protocol.EXIT_FAILED);
        }
    }

    private void ready() throws IOException {
        boolean assertions = false;
        assert assertions = true;
        reply.u8(Protocol.REPLY_READY);
        reply.u8(Protocol.VERSION);
        reply.u8((Recorder.PRESENT ? 1 : 0) | (assertions ? 2 : 0));
        reply.send(replies);
        deadline.start();
    }

    private void serve() throws IOException {
        while (true) {
            int length = requests.readInt();
            if (length < 0 || length > LARGEST_REQUEST) {
                throw new Malformed("a request of " + length + " bytes");
            }
            byte[] frame = new byte[length];
            requests.readFully(frame);
            Input in = new Input(frame);
            int kind = in.u8();
            if (kind == Protocol.REQUEST_RUN) {
                run(in);
            } else if (kind == Protocol.REQUEST_DESCRIBE) {
                describe(in);
            } else if (kind == Protocol.REQUEST_INITIALISE) {
                initialise(in);
            } else {
                throw new Malformed("a request of kind " + kind);
            }
        }
    }

    private void describe(Input in) throws IOException {
        Describer describer = new Describer(names);
        for (int count = in.count(); count > 0; count--) {
            describer.describe(in.text(), reply);
            reply.send(replies);
        }
        end();
    }

    private void initialise(Input in) throws IOException {
        Initialiser initialiser = new Initialiser(names);
        for (int count = in.count(); count > 0; count--) {
            if (initialiser.initialise(in.text(), reply)) {
                continue;
            }
            reply.send(replies);
        }
        end();
    }

    private void run(Input in) throws IOException {
        deadline.limit(in.i32());
        Mutation.probes(in.i32());
        Branches.size(in.i32());
        names.readNew(in);
        members.readNew(in);
        int count = in.count();
        for (int i = 0; i < count && !runner.exhausted(); i++) {
            int next = in.i32() + in.position();
            running = i;
            one(in, i);
            in.seek(next);
        }
        settle();
        end();
    }

    /** Once for all sequences of a request: each would wait as long for the analysis as the analysis takes. */
    private static void settle() {
        try {
            Recorder.settle();
        } catch (Throwable e) {
            throw new IllegalStateException("the recorder failed at the end of a request", e);
        }
    }

    private void one(Input in, int index) throws IOException {
        reply.u8(Protocol.REPLY_OUTCOME);
        reply.i32(index);
        runner.run(in, reply);
        reply.send(replies);
        restore();
    }

    /** Undoes what sequences may have changed in the JVM as a whole, as far as it can be undone. */
    private void restore() {
        Streams.silence();
        runner.restore();
        folder.empty();
    }

    private void end() throws IOException {
        boolean worn = runner.exhausted() || strays.areTooMany() || folder.isWorn();
        reply.u8(Protocol.REPLY_END);
        reply.u8(worn ? 1 : 0);
        reply.send(replies);
    }

    /** The running sequence will not end: say so and stop, so that the agent still writes its trace. */
    private void abandon() {
        Output last = new Output();
        last.u8(Protocol.REPLY_TIMED_OUT);
        last.i32(running);
        int statement = runner.statement();
        last.u8(statement < 0 ? 0 : 1);
        if (statement >= 0) {
            last.i32(statement);
        }
        try {
            last.send(replies);
        } catch (IOException e) {
            // The driver is gone; nobody can get a report.
            Runtime.getRuntime().halt(Protocol.EXIT_FAILED);
        }
        Runtime.getRuntime().halt(Protocol.EXIT_TIMED_OUT);
    }

    /** A reply that ends the worker, and why. */
    private void last(int kind, String why) {
        Output last = new Output();
        last.u8(kind);
        last.text(why);
        try {
            last.send(replies);
        } catch (IOException e) {
            // The driver is gone; nobody can get a report.
            return;
        }
    }
}
