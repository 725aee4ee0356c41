/** Reads of fields behind guards. Names of methods say whether the last read of a field that `assigns` assigns is closed while it has that value. */
public class Guarded {
    static int shared;
    int count;
    long total;
    double mean;
    boolean isOpen;
    String name;
    byte small;
    Guarded inner;

    void assigns() {
        count = 0;
        total = 7L;
        mean = 0.5;
        isOpen = false;
        name = null;
        shared = -1;
    }

    int closedByGreater() {
        if (count > 0) {
            return count;
        }
        return -1;
    }

    int closedByReturn() {
        if (count == 0) {
            return 0;
        }
        helper();
        return count + 1;
    }

    int openByAtLeastAtTheBorder() {
        return count >= 0 ? count : -1;
    }

    int openByAtMostAtTheBorder() {
        return count <= 0 ? count : -1;
    }

    int closedByLessAtTheBorder() {
        return count < 0 ? count : -1;
    }

    int closedByUnequalAtTheBorder() {
        return count != 0 ? count : -1;
    }

    int openByLess() {
        if (count < 1) {
            return count;
        }
        return -1;
    }

    long closedByAnotherLong() {
        return total != 7L ? total : 0;
    }

    long openByTheSameLong() {
        return total == 7L ? total : 0;
    }

    long closedWithTheConstantFirst() {
        return 8L <= total ? total : 0;
    }

    double closedByReal() {
        return mean > 0.75 ? mean : 0;
    }

    double openByReal() {
        return mean > 0.25 ? mean : 0;
    }

    boolean closedByFlag() {
        if (isOpen) {
            helper();
            return isOpen;
        }
        return false;
    }

    int closedByNull() {
        return name != null ? name.length() : 0;
    }

    int openByNull() {
        return name == null ? System.identityHashCode(name) : 0;
    }

    static int closedStatic() {
        return shared >= 0 ? shared : 0;
    }

    int closedOfInner() {
        if (inner.count == 0) {
            return 0;
        }
        return inner.count;
    }

    int openAsInnerMayBeAnother() {
        if (inner.count == 0) {
            helper();
        }
        return inner.count;
    }

    int openAsInnerWasReplaced() {
        if (inner.count != 0) {
            inner = inner.inner;
            return inner.count;
        }
        return 0;
    }

    int openAsAnotherIsCompared() {
        if (inner.count != 0) {
            return count;
        }
        return 0;
    }

    int openAsTheVariableIsAssigned(Guarded other) {
        if (other.count != 0) {
            other = other.inner;
            return other.count;
        }
        return 0;
    }

    int closedOfAParameter(Guarded other) {
        if (other.count != 0) {
            helper();
            return other.count;
        }
        return 0;
    }

    int openByOwnAssignment() {
        while (count != 0) {
            count = 0;
            if (helper() == count) {
                return 1;
            }
        }
        return 0;
    }

    int closedBehindOwnAssignment() {
        while (count != 0) {
            if (helper() == count) {
                return 1;
            }
            count = 0;
        }
        return 0;
    }

    int openByHandler() {
        try {
            if (count == 0) {
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            return count;
        }
        return 0;
    }

    int closedByAssignmentBefore() {
        if (name == null) {
            name = "x";
        }
        return name.length();
    }

    int openByAssignmentOfAnother(Guarded other) {
        if (name == null) {
            other.name = "x";
        }
        return name.length();
    }

    int openAsAnotherVariableMayHoldIt() {
        Guarded self = this;
        if (name == null) {
            self.name = "x";
        }
        return name.length();
    }

    int openByAssignmentOnOneWay(int given) {
        if (given > 0) {
            name = "x";
        }
        return name.length();
    }

    int openAsWhatIsAssignedMayThrow() {
        try {
            name = String.valueOf(1 / count);
        } catch (ArithmeticException e) {
            return name.length();
        }
        return 0;
    }

    int openWithoutGuard() {
        return helper() > 0 ? count : 1;
    }

    int openByWhatIsComputed() {
        return count + 1 > 0 ? count : 1;
    }

    int helper() {
        return 1;
    }

    void assignsWhatIsUnknown(int given) {
        count = given;
        small = 3;
    }
}
