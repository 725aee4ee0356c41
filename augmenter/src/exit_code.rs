//! How `dynaflow` ends. Knows nothing of what was done. Invariant: the numbers are part of the interface and never change.

use std::process::ExitCode;

/// The exit codes of `dynaflow`.
///
/// `dynaflow run` ends with the status of the command instead (128 + n when signal n ended it), unless
/// that is 0 and there is something to complain about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: all went well.
    Success,
    /// 1: it could not be done; standard error says why.
    Failed,
    /// 2: the command line is wrong.
    Usage,
    /// 3: `run`: the command succeeded, but nothing was recorded.
    NothingRecorded,
    /// 4: `doctor`: something dynaflow needs is missing.
    Missing,
    /// 5: `mutants`: the score is below `--fail-below`.
    BelowScore,
    /// 6: `diff` and `review`: there is what `--fail-on` names.
    Found,
    /// 124: `run`: the command was ended by `--timeout`.
    TimedOut,
    /// 130: ended by Ctrl-C; what was found is written.
    Interrupted,
    /// The status of a command that was run.
    Passed(u8),
}

/// For `dynaflow --help`.
pub const HELP: &str = "\
Exit codes:
  0    done
  1    failed; standard error says why
  2    wrong command line
  3    run: the command succeeded, but nothing was recorded
  4    doctor: something that is needed is missing
  5    mutants: the score is below --fail-below
  6    diff, review: there is what --fail-on names
  124  run: ended by --timeout
  130  ended by Ctrl-C; what was found is written
  `dynaflow run` otherwise ends with the status of the command (128 + n when signal n ended it).";

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NothingRecorded => 3,
            Self::Missing => 4,
            Self::BelowScore => 5,
            Self::Found => 6,
            Self::TimedOut => 124,
            Self::Interrupted => 130,
            Self::Passed(code) => code,
        }
    }

    /// The exit an error leads to.
    pub fn of(error: &anyhow::Error) -> Self {
        if error.downcast_ref::<UsageError>().is_some() { Self::Usage } else { Self::Failed }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// An error in the command line that only its values show.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// An error in the command line, to be returned.
pub fn usage(text: String) -> anyhow::Error {
    UsageError(text).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_code_of_ours() {
        let ours = [Exit::Success, Exit::Failed, Exit::Usage, Exit::NothingRecorded, Exit::Missing];
        for exit in ours.into_iter().chain([Exit::BelowScore, Exit::Found, Exit::TimedOut, Exit::Interrupted])
        {
            assert!(HELP.contains(&format!("\n  {} ", exit.code())), "{exit:?}");
        }
    }

    #[test]
    fn wrong_values_are_usage_errors_even_with_context_around_them() {
        let error = anyhow::Error::from(UsageError("--depth".to_owned())).context("dynaflow run");
        assert_eq!(Exit::of(&error), Exit::Usage);
        assert_eq!(Exit::of(&anyhow::anyhow!("disk full")), Exit::Failed);
    }
}
