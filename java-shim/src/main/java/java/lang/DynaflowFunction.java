package java.lang;

/**
 * A function that a method reference made of a container: whoever applies it changes the container, where nothing is woven. It keeps
 * neither alive, and does not know who applies it.
 */
final class DynaflowFunction extends DynaflowEntry {
    /** Whether there is any in this process. */
    static volatile boolean any;

    private final DynaflowEntry container;
    /** Whether the method also reads what the container holds. */
    private final boolean reads;

    DynaflowFunction(Object function, int hash, DynaflowEntry container, boolean reads) {
        super(function, hash);
        this.container = container;
        this.reads = reads;
    }

    /** Remembers to what a function is bound, if it is a container. */
    static void bind(Object function, Object container, boolean reads) {
        DynaflowMirror mirror = container == null ? null : DynaflowObjects.mirrorOf(container.getClass());
        if (mirror != null && mirror.kind != DynaflowKinds.NONE) {
            DynaflowObjects.bind(function, container, reads);
            any = true;
        }
    }

    /** See {@link DynaflowRecorder#applied}. */
    static void applied(Object function, Object receiver, int site) {
        DynaflowFunction bound = of(function);
        if (bound != null) {
            bound.apply(receiver, site);
        }
    }

    /** See {@link DynaflowRecorder#deferred}. */
    static void deferred(Object function) {
        DynaflowFunction bound = of(function);
        if (bound != null) {
            DynaflowRecorder.here().defer(bound);
        }
    }

    /** A call went through a stream: functions that streams were to apply are applied. */
    static void streamed(Object stream, int site) {
        if (any) {
            for (DynaflowFunction next = next(); next != null; next = next()) {
                next.apply(stream, site);
            }
        }
    }

    private static DynaflowFunction next() {
        return DynaflowRecorder.here().nextDeferred();
    }

    /** What a function is bound to; null when it is bound to no container. */
    private static DynaflowFunction of(Object function) {
        return any && function != null ? DynaflowObjects.bound(function) : null;
    }

    /** Somebody applied it in a call: the site reads the container, the next one writes it. */
    private void apply(Object receiver, int site) {
        Object changed = container.get();
        if (changed == null) {
            return;
        }
        if (reads) {
            DynaflowRecorder.observed(changed, receiver, site);
        }
        DynaflowRecorder.refilled(changed, receiver, site + 1);
    }
}
