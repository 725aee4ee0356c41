package sample;

import java.lang.reflect.Field;
import org.junit.Test;

/** A chain of nodes with everything that a debugger sees of fields: aliases, cycles, statics, exceptions, and what it does not. */
public class SampleTest {
    @Test
    public void definesThroughAnAlias() {
        Node node = new Node(null);
        Node first = new Node(node);
        node.set(3);
        first.sum();
        first.next = null;
        first.sum();
    }

    @Test
    public void walksInACircle() {
        Node node = new Node(null);
        node.next = new Node(new Node(node));
        node.sum();
        node.next.next.set(4);
        node.sum();
    }

    @Test
    public void leavesByAnException() {
        Node node = new Node(null);
        for (int value = 0; value < 3; value++) {
            try {
                node.refuse(value);
            } catch (IllegalArgumentException expected) {
                node.get();
            }
        }
    }

    @Test(expected = IllegalStateException.class)
    public void isNotConstructed() {
        new Refusing(7);
    }

    @Test
    public void countsInStaticFields() {
        Node.count();
        Node.count();
    }

    @Test
    public void isWrittenByOtherHands() throws Exception {
        Node node = new Node(null);
        Field field = Node.class.getDeclaredField("injected");
        field.setAccessible(true);
        field.set(node, "other hands");
        node.injected();
        node.looks(field);
        new Node(node).looks(field);
    }

    @Test
    public void isCopied() throws Exception {
        Copied copied = new Copied();
        copied.value = 5;
        copied.clone().get();
    }

    @Test
    public void holdsArrays() {
        Node node = new Node(null);
        node.children[0] = new Node(null);
        node.children[0].set(2);
        node.child();
    }

    static class Node {
        static int counted;
        Node next;
        int value = 1;
        String injected;
        final Node[] children = new Node[1];

        Node(Node next) {
            this.next = next;
        }

        static void count() {
            counted++;
        }

        void set(int value) {
            this.value = value;
        }

        int get() {
            return value;
        }

        String injected() {
            return injected;
        }

        Object looks(Field field) throws IllegalAccessException {
            return field.get(this);
        }

        int child() {
            return children[0].value;
        }

        void refuse(int value) {
            set(value);
            if (value > 0) {
                get(value);
            }
        }

        private void get(int limit) {
            set(limit);
            throw new IllegalArgumentException("refused " + value);
        }

        int sum() {
            int sum = 0;
            int steps = 0;
            for (Node each = this; each != null && steps < 7; each = each.next) {
                sum += each.value;
                steps++;
            }
            return sum;
        }
    }

    /** Whose superclass fails. */
    static class Refusing extends Node {
        final int refused;

        Refusing(int refused) {
            super(fail(refused));
            this.refused = refused;
        }

        private static Node fail(int value) {
            count();
            if (value > 5) {
                throw new IllegalStateException();
            }
            return null;
        }
    }

    static class Copied implements Cloneable {
        int value;

        int get() {
            return value;
        }

        @Override
        public Copied clone() throws CloneNotSupportedException {
            return (Copied) super.clone();
        }
    }
}
