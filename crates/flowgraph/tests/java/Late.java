import java.util.List;

/** Local variables whose names a compiler may begin later than behind their stores, and slots that are used twice. */
class Late {
    static int sum(int[] numbers) {
        int index = 0;
        int length = numbers.length;
        int sum = 0;
        while (index < length) {
            sum += numbers[index];
            index++;
        }
        return sum;
    }

    static int reused(List<Integer> numbers) {
        int sum = 0;
        for (Integer number : numbers) {
            sum += number;
        }
        int last = numbers.size();
        return sum + last;
    }
}
