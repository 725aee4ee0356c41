import io.dynaflow.fitness.Distances;

/** Runs a call and prints what it missed or reached, as the class with probes reported it. It has no probes itself. */
final class Show {
    interface Call {
        Object make();
    }

    static void missed(String what, Call call) {
        Distances.begin();
        Object result;
        try {
            result = call.make();
        } catch (RuntimeException e) {
            result = e.getClass().getSimpleName();
        }
        StringBuilder text = new StringBuilder(what + " = " + result + ":");
        for (int outcome = 0; outcome < Distances.nearest.length; outcome++) {
            double away = Distances.nearest[outcome];
            if (away > 0 && away < Double.POSITIVE_INFINITY) {
                text.append(outcome % 2 == 0 ? " jump " : " on ").append(away == Double.MAX_VALUE ? "far" : Double.toString(away));
                if (Distances.kinds[outcome] == Distances.NUMBERS) {
                    text.append('(').append(Distances.left[outcome]).append(' ').append(Distances.right[outcome]).append(')');
                } else if (Distances.kinds[outcome] == Distances.TEXTS) {
                    text.append('(').append(Distances.leftText[outcome]).append(' ').append(Distances.rightText[outcome]).append(')');
                }
            }
        }
        System.out.println(text);
    }

    static void reached(String what, Call call) {
        Distances.begin();
        call.make();
        StringBuilder text = new StringBuilder(what + ":");
        for (int outcome = 0; outcome < Distances.nearest.length; outcome++) {
            if (Distances.nearest[outcome] == 0) {
                text.append(' ').append(outcome);
            }
        }
        System.out.println(text);
    }

    /** Prints every outcome that was met, with its distance. */
    static void met(String what, Call call) {
        Distances.begin();
        try {
            call.make();
        } catch (RuntimeException e) {
            what += " " + e.getClass().getSimpleName();
        }
        StringBuilder text = new StringBuilder(what + ":");
        for (int outcome = 0; outcome < Distances.nearest.length; outcome++) {
            if (Distances.nearest[outcome] < Double.POSITIVE_INFINITY) {
                text.append(' ').append(outcome).append('=').append(Distances.nearest[outcome]);
            }
        }
        System.out.println(text);
    }

    /** The same while a test calls a method of this name and descriptor itself. */
    static void direct(String signature, String what, Call call) {
        met(what, () -> {
            Distances.calls(signature);
            try {
                return call.make();
            } finally {
                Distances.calls(null);
            }
        });
    }

    static void branches(String count) {
        Distances.size(Integer.parseInt(count));
    }

    private Show() {}
}
