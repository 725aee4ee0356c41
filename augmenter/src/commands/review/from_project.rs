//! The class paths where none is given: those of the build in a folder. Knows nothing of what is done with them.
//!
//! Invariant: paths that the user gave mean the same afterwards, whatever the working folder is then.

use super::options::ReviewOptions;
use crate::mutation::Observer;
use crate::project::Build;
use crate::watch::Watch;
use anyhow::{Context, Result};
use std::path::absolute;

/// The options with class paths. Without them the build is asked, which compiles; the working folder is that of the module then, where a build runs tests.
///
/// # Errors
/// When there is no build to be asked, or it fails.
pub fn completed(options: &ReviewOptions, watch: &Watch) -> Result<ReviewOptions> {
    let mut options = options.clone();
    if options.class_path.is_some() {
        return Ok(options);
    }
    let build = Build::find(&options.build)?;
    let given = options.tests.iter_mut().chain(&mut options.output).chain(&mut options.java_home);
    for path in given {
        *path = absolute(&*path).with_context(|| format!("the path {}", path.display()))?;
    }
    let (home, asked) = (options.java_home.clone(), options.build.clone());
    let with = asked.with(home.as_deref());
    watch.stage(&build.asking(&with));
    let module = build.module(&with)?;
    options.class_path = Some(module.class_path()?);
    options.test_class_path = Some(module.test_class_path()?);
    std::env::set_current_dir(&module.folder)
        .with_context(|| format!("cannot work in {}", module.folder.display()))?;
    Ok(options)
}
