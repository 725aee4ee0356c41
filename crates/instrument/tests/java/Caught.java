/** Catches what the overflow of a stack throws, within a loop and with locals, so that handlers have frames of their own. */
class Caught {
    int deep(int depth) {
        for (int i = 0; ; i++) {
            try {
                return deep(depth + i);
            } catch (StackOverflowError error) {
                depth = -i;
            }
        }
    }

    int shallow(int depth) {
        try {
            return deep(depth);
        } catch (IllegalStateException expected) {
            return 0;
        }
    }
}
