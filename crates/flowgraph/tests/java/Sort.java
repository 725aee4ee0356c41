/** The sorting program of the literature (Marre and Bertolino), its variables in the order of their declaration. */
class Sort {
    static void sort(int[] a, int n) {
        int sortupto;
        int maxpos;
        int mymax;
        int index;
        sortupto = 1;
        maxpos = 1;
        while (sortupto < n) {
            mymax = a[sortupto];
            index = sortupto + 1;
            while (index <= n) {
                if (a[index] > mymax) {
                    mymax = a[index];
                    maxpos = index;
                }
                index++;
            }
            index = a[sortupto];
            a[sortupto] = mymax;
            a[maxpos] = index;
            sortupto++;
        }
    }
}
