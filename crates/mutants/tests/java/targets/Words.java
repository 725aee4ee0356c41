//: operators mujava
/** muJava's operators where bytecode shows them. */
final class Words {
    static boolean both(int[] a, boolean b) {
        if (a[0] > 1 && !b) {
        //: ROR replaced > with != -> =
        //: ROR replaced > with == -> falsetruefalsetruetrue18158
        //: ROR replaced > with >= -> truetruefalsetruetrue18158
        //: ROR replaced > with < -> falsefalsefalsetruetrue18158
        //: ROR replaced > with <= -> falsetruefalsetruetrue18158
        //: ROR replaced > with false -> falsefalsefalsetruetrue18158
        //: ROR replaced > with true -> truetruefalsetruetrue18158
        //: COR replaced && with || -> truetruetruetruetrue18158
        //: COD removed ! of a condition -> falsefalsetruetruetrue18158
            return true;
        }
        return false;
    }

    static boolean either(boolean a, boolean[] b) {
        if (a || b[0]) {
        //: COR replaced || with && -> truefalsefalsefalsefalse18158
        //: COD removed ! of a condition -> truefalsefalsetruefalse18158
        //: COI inserted ! before a condition -> truefalsefalsefalsetrue18158
            return true;
        }
        return false;
    }

    static int shifted(int[] a) {
        return a[0] >> a[1] | ~a[2];
        //: SOR replaced ishr with ishl -> truefalsefalsetruetrue258158
        //: SOR replaced ishr with iushr -> =
        //: LOR replaced ixor with iand -> truefalsefalsetruetrue-3158
        //: LOR replaced ixor with ior -> truefalsefalsetruetrue-1158
        //: LOD removed bitwise complement -> truefalsefalsetruetrue-3158
        //: LOR replaced ior with iand -> truefalsefalsetruetrue0158
        //: LOR replaced ior with ixor -> =
    }

    static long stepped(long a) {
        a = a * 3L;
        //: AOIU inserted unary minus -> truefalsefalsetruetrue18-158
        //: AOIS inserted ++ behind a variable -> =
        //: AOIS inserted ++ before a variable -> truefalsefalsetruetrue18188
        //: AOIS inserted -- behind a variable -> =
        //: AOIS inserted -- before a variable -> truefalsefalsetruetrue18128
        //: LOI inserted bitwise complement -> truefalsefalsetruetrue18-188
        //: AORB replaced long multiplication with addition -> truefalsefalsetruetrue1888
        //: AORB replaced long multiplication with subtraction -> truefalsefalsetruetrue1828
        //: AORB replaced long multiplication with division -> truefalsefalsetruetrue1818
        //: AORB replaced long multiplication with modulus -> truefalsefalsetruetrue1828
        return a;
        //: AOIU inserted unary minus -> truefalsefalsetruetrue18-158
        //: AOIS inserted ++ behind a variable -> =
        //: AOIS inserted ++ before a variable -> truefalsefalsetruetrue18168
        //: AOIS inserted -- behind a variable -> =
        //: AOIS inserted -- before a variable -> truefalsefalsetruetrue18148
        //: LOI inserted bitwise complement -> truefalsefalsetruetrue18-168
    }

    static int counted() {
        int a = 2;
        a++;
        //: AORS replaced ++ with -- -> truefalsefalsetruetrue18156
        //: AODS removed ++ -> truefalsefalsetruetrue18157
        a += 5;
        //: ASRS replaced += 5 with -= 5 -> truefalsefalsetruetrue1815-2
        //: ASRS replaced += 5 with *= 5 -> truefalsefalsetruetrue181515
        //: ASRS replaced += 5 with /= 5 -> truefalsefalsetruetrue18150
        //: ASRS replaced += 5 with %= 5 -> truefalsefalsetruetrue18153
        return a;
        //: AOIU inserted unary minus -> truefalsefalsetruetrue1815-8
        //: AOIS inserted ++ behind a variable -> =
        //: AOIS inserted ++ before a variable -> truefalsefalsetruetrue18159
        //: AOIS inserted -- behind a variable -> =
        //: AOIS inserted -- before a variable -> truefalsefalsetruetrue18157
        //: LOI inserted bitwise complement -> truefalsefalsetruetrue1815-9
    }

    static Object run() {
        String text = "" + both(new int[] {2}, false) + both(new int[] {1}, false) + both(new int[] {2}, true);
        text += either(false, new boolean[] {true}) + "" + either(true, new boolean[] {false});
        return text + shifted(new int[] {64, 2, -3}) + stepped(5L) + counted();
    }
}
