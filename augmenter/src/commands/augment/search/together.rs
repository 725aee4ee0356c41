//! Several tasks, each of which asks one question after the other: their questions are answered in rounds, so that whoever answers has much to do at once.
//!
//! In: tasks. Out: what each came to, in the order of the tasks. Knows nothing of what is asked. Invariant: a round has one question of each task that
//! goes on, in the order of the tasks, however their threads are scheduled.

use anyhow::{Result, anyhow};
use std::sync::mpsc::{Receiver, Sender, channel};

/// What a task asks with.
#[derive(Debug)]
pub struct Asker<Q, A> {
    questions: Sender<Q>,
    answers: Receiver<A>,
}

impl<Q, A> Asker<Q, A> {
    /// The answer; none when there are no more.
    pub fn ask(&self, question: Q) -> Option<A> {
        self.questions.send(question).ok()?;
        self.answers.recv().ok()
    }
}

/// Does the tasks. `answer` is given the questions of a round, and has to answer them in their order.
///
/// # Errors
/// When there is no answer, or a task panics.
pub fn together<Q: Send, A: Send, T: Send>(
    tasks: Vec<impl FnOnce(&Asker<Q, A>) -> T + Send>,
    mut answer: impl FnMut(Vec<Q>) -> Result<Vec<A>>,
) -> Result<Vec<T>> {
    std::thread::scope(|scope| {
        let (mut lines, mut threads) = (vec![], vec![]);
        for task in tasks {
            let (questions, asked) = channel();
            let (given, answers) = channel();
            threads.push(scope.spawn(move || task(&Asker { questions, answers })));
            lines.push((asked, given));
        }
        let mut answered = Ok(());
        while answered.is_ok() && !lines.is_empty() {
            answered = round(&mut lines, &mut answer);
        }
        // Who still asks hears that there are no more answers.
        drop(lines);
        let done = threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| anyhow!("a thread that asks panicked")));
        let done = done.collect();
        answered.and(done)
    })
}

/// A question of each task that goes on, answered; tasks that came to their end are left out from then on.
fn round<Q, A>(
    lines: &mut Vec<(Receiver<Q>, Sender<A>)>,
    answer: &mut impl FnMut(Vec<Q>) -> Result<Vec<A>>,
) -> Result<()> {
    let mut questions = vec![];
    lines.retain(|(asked, _)| {
        let question = asked.recv();
        question.map(|question| questions.push(question)).is_ok()
    });
    if questions.is_empty() {
        return Ok(());
    }
    // Who gets no answer has nobody to wait for.
    let mut answers = answer(questions)?.into_iter();
    lines.retain(|(_, given)| answers.next().is_some_and(|answer| given.send(answer).is_ok()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A task that asks for the double of a number until it is large enough.
    fn doubled(start: u32, until: u32) -> impl FnOnce(&Asker<u32, u32>) -> Option<u32> + Send {
        move |asker| {
            let mut number = start;
            while number < until {
                number = asker.ask(number)?;
            }
            Some(number)
        }
    }

    #[test]
    fn each_round_has_a_question_of_each_task_that_goes_on_in_their_order() {
        let mut rounds = vec![];
        let tasks = vec![doubled(5, 20), doubled(9, 1), doubled(1, 3), doubled(7, 8)];
        let results = together(tasks, |questions| {
            let answers = questions.iter().map(|number| number * 2).collect();
            rounds.push(questions);
            Ok(answers)
        });
        assert_eq!(results.unwrap(), [Some(20), Some(9), Some(4), Some(14)]);
        assert_eq!(rounds, [vec![5, 1, 7], vec![10, 2]]);
    }

    #[test]
    fn no_task_waits_for_an_answer_that_does_not_come() {
        let tasks = vec![doubled(1, 9), doubled(1, 0)];
        let failed = together(tasks, |_| Err(anyhow!("no worker is left")));
        assert_eq!(failed.unwrap_err().to_string(), "no worker is left");
        assert_eq!(together(vec![doubled(1, 9)], |_| Ok(vec![])).unwrap(), [None], "answered by nothing");
    }
}
