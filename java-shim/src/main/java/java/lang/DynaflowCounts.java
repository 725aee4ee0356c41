package java.lang;

/**
 * How much was left out, by place and site, since that was last recorded. It knows nothing of kinds or verdicts. Invariant: each count is recorded with the site it
 * is of, once; where several threads count at once, some may be missed.
 */
final class DynaflowCounts {
    private final int[] counts;
    /** By place, the site whose count it is. */
    private final int[] sites;
    /** Places with counts that were not recorded yet. */
    private final int[] counted;
    private int end;

    DynaflowCounts(int places) {
        counts = new int[places];
        sites = new int[places];
        counted = new int[places];
    }

    /** So many more were left out at a site. */
    void add(int place, int site, int more) {
        if (sites[place] != site) {
            record(place);
            sites[place] = site;
        }
        int last = end;
        if (counts[place] == 0 && last < counted.length) {
            counted[last] = place;
            end = last + 1;
        }
        counts[place] += more;
    }

    /** Records all that was counted. */
    void record() {
        int last = end;
        end = 0;
        for (int i = 0; i < last; i++) {
            record(counted[i]);
        }
    }

    private void record(int place) {
        int count = counts[place];
        counts[place] = 0;
        if (count != 0) {
            DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.LEFT_OUT, count & 0xffffffffL), sites[place]);
        }
    }
}
