class Hidden {
    public Hidden(Object given) {}

    public static void serve(Object given) {}

    public void take(Object given) {}

    void near(Object given) {}

    public static class Shown {
        public Shown(Object given) {}

        public static void serve(Object given) {}

        public void take(Object given) {}

        protected void guarded(Object given) {}

        void near(Object given) {}
    }
}
