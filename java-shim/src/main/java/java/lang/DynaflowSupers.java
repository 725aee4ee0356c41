package java.lang;

/** All superclasses of a class, nearest first, then all its superinterfaces, nearest first; each once. */
final class DynaflowSupers {
    private Class<?>[] found = new Class<?>[16];
    private int count;

    DynaflowSupers(Class<?> type) {
        for (Class<?> at = type.getSuperclass(); at != null; at = at.getSuperclass()) {
            add(at);
        }
        addDirect(type);
        for (int i = 0; i < count; i++) {
            addDirect(found[i]);
        }
    }

    private void addDirect(Class<?> type) {
        if (type.getSuperclass() != null) {
            add(type.getSuperclass());
        }
        for (Class<?> direct : type.getInterfaces()) {
            add(direct);
        }
    }

    private void add(Class<?> type) {
        for (int i = 0; i < count; i++) {
            if (found[i] == type) {
                return;
            }
        }
        if (count == found.length) {
            Class<?>[] wider = new Class<?>[count * 2];
            System.arraycopy(found, 0, wider, 0, count);
            found = wider;
        }
        found[count++] = type;
    }

    /** Their binary names, one a line. */
    @Override
    public String toString() {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                names.append('\n');
            }
            names.append(found[i].getName());
        }
        return names.toString();
    }
}
