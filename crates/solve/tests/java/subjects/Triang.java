/** What kind of triangle three lengths make: 1 scalene, 2 isosceles, 3 equilateral, 4 none. */
public final class Triang {
    private Triang() {}

    public static int triang(int side1, int side2, int side3) {
        int kind;
        if (side1 <= 0 || side2 <= 0 || side3 <= 0) {
            return 4;
        }
        kind = 0;
        if (side1 == side2) {
            kind = kind + 1;
        }
        if (side1 == side3) {
            kind = kind + 2;
        }
        if (side2 == side3) {
            kind = kind + 3;
        }
        if (kind == 0) {
            if (side1 + side2 <= side3 || side2 + side3 <= side1 || side1 + side3 <= side2) {
                kind = 4;
            } else {
                kind = 1;
            }
            return kind;
        }
        if (kind > 3) {
            kind = 3;
        } else if (kind == 1 && side1 + side2 > side3) {
            kind = 2;
        } else if (kind == 2 && side1 + side3 > side2) {
            kind = 2;
        } else if (kind == 3 && side2 + side3 > side1) {
            kind = 2;
        } else {
            kind = 4;
        }
        return kind;
    }
}
