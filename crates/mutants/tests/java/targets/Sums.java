/** Arithmetic of every type, increments and negations: what `MATH`, `INCREMENTS` and `INVERT_NEGS` make of them. */
final class Sums {
    static int whole(int a, int b) {
        int sum = a + b;
        //: MATH Replaced integer addition with subtraction -> 9 20 4.5 7
        int rest = a % b;
        //: MATH Replaced integer modulus with multiplication -> 308 20 4.5 7
        return sum * rest;
        //: MATH Replaced integer multiplication with division -> 3 20 4.5 7
        //: PRIMITIVE_RETURNS replaced int return with 0 for Sums::whole -> 0 20 4.5 7
    }

    static long wide(long a, int by) {
        return a << by;
        //: MATH Replaced Shift Left with Shift Right -> 33 1 4.5 7
        //: PRIMITIVE_RETURNS replaced long return with 0 for Sums::wide -> 33 0 4.5 7
    }

    static double broken(double a, float b) {
        return a / 2 - -b;
        //: MATH Replaced double division with multiplication -> 33 20 13.5 7
        //: INVERT_NEGS removed negation -> 33 20 1.5 7
        //: MATH Replaced double subtraction with addition -> 33 20 1.5 7
        //: PRIMITIVE_RETURNS replaced double return with 0.0d for Sums::broken -> 33 20 0.0 7
    }

    static int steps() {
        int from = 3;
        from += 4;
        //: INCREMENTS Changed increment from 4 to -4 -> 33 20 4.5 -1
        return from;
        //: PRIMITIVE_RETURNS replaced int return with 0 for Sums::steps -> 33 20 4.5 0
    }

    static Object run() {
        return whole(7, 4) + " " + wide(5, 2) + " " + broken(6, 1.5f) + " " + steps();
        //: NULL_RETURNS replaced return value with null for Sums::run -> null
    }
}
