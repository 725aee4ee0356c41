//! The recorder on real JVMs, without the agent: small programs hold the words it hands over against what they did.

mod jvm;

fn check(options: &[&str], program: &[&str]) {
    for output in jvm::outputs(options, program) {
        assert_eq!(output, "ok\n", "{program:?}");
    }
}

#[test]
fn objects_with_equal_identity_hashes_have_their_own_numbers_and_keep_them() {
    check(&[], &["Identity", "300000"]);
    check(&["-XX:+UseSerialGC"], &["Identity", "300000"]);
}

#[test]
fn deaths_are_recorded_however_large_the_heap_is() {
    check(&["-Xms1g"], &["Mortal"]);
    check(&["-Xms1g", "-XX:+UseParallelGC"], &["Mortal"]);
}

#[test]
fn even_when_all_identity_hashes_are_the_same_numbers_differ() {
    check(&["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"], &["Identity", "1500"]);
}

#[test]
fn no_thread_loses_a_word_or_an_order() {
    check(&[], &["Threads", "platform", "4"]);
    check(&[], &["Threads", "platform", "150"]);
    check(&["-Xint"], &["Threads", "platform", "4"]);
}

#[test]
fn virtual_threads_lose_nothing_either() {
    check(&[], &["Threads", "virtual", "2000"]);
}

#[test]
fn what_happens_before_is_handed_over_before() {
    check(&[], &["HappensBefore"]);
    check(&["-XX:TieredStopAtLevel=1"], &["HappensBefore"]);
}

#[test]
fn a_stack_overflow_inside_the_recorder_leaves_it_whole() {
    check(&[], &["Overflow"]);
    check(&["-Xint"], &["Overflow"]);
}

#[test]
fn of_an_invocation_that_is_left_out_nothing_is_recorded_but_writes_to_objects_with_a_number() {
    check(&[], &["Muting"]);
    check(&["-Xint"], &["Muting"]);
    check(&["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"], &["Muting"]);
}

#[test]
fn a_recorder_in_trouble_switches_itself_off_and_the_program_goes_on() {
    check(&[], &["Trouble", "deaf"]);
    check(&[], &["Trouble", "broken"]);
}
