/** When nobody listens, or the recorder itself fails, it switches itself off once and the program goes on. */
final class Trouble {
    public static void main(String[] arguments) {
        DynaflowRecorder.at(Check.SITE);
        if (arguments[0].equals("deaf")) {
            DynaflowNative.listening = false;
        } else {
            DynaflowNative.throwing = true;
        }
        for (int i = 0; i < 100000; i++) {
            DynaflowRecorder.objects(new Object(), "text", Check.SITE);
            DynaflowRecorder.argument(new Object());
            DynaflowRecorder.argument("some text");
        }
        DynaflowRecorder.beginTest("late");
        DynaflowRecorder.endTest(false);
        DynaflowRecorder.settle();
        Check.that(DynaflowNative.isOff(), "still on");
        if (arguments[0].equals("deaf")) {
            Check.that(DynaflowNative.stopped == null, "the agent knows already");
        } else {
            Check.that("java.lang.IllegalStateException".equals(DynaflowNative.stopped), DynaflowNative.stopped);
        }
        System.out.println("ok");
    }
}
