//! Where the classes come from that calls lead to: the class path, then the JDK. Knows nothing of what is asked of them.
//!
//! Invariant: without a JDK there are no classes of it, and that is said once.

use crate::classes::Classes;
use crate::jvm::image::JdkClasses;
use crate::jvm::jdk::Jdk;
use crate::output;
use anyhow::Result;
use dynaflow_flowgraph::dua::ClassSource;
use std::borrow::Cow;
use std::path::Path;

/// Classes of a program and of the JDK it runs on.
#[derive(Debug)]
pub struct Library {
    program: Classes,
    jdk: Option<JdkClasses>,
}

impl Library {
    /// The classes of this class path and of this JDK; none of a JDK that is not understood.
    pub fn of(program: Classes, jdk: &Jdk) -> Self {
        let opened = JdkClasses::open(&jdk.home);
        let jdk =
            opened.inspect_err(|error| tracing::info!("the classes of the JDK are not read: {error:#}"));
        Self { program, jdk: jdk.ok() }
    }

    /// The classes of this class path and of a JDK: that of `--java-home`, of `JAVA_HOME`, or the first on the `PATH`.
    ///
    /// # Errors
    /// When a JDK was named by `--java-home` and cannot be used. Another one that cannot be is done without, with a warning.
    pub fn open(program: Classes, java_home: Option<&Path>) -> Result<Self> {
        let jdk =
            Jdk::find(java_home).map_err(anyhow::Error::from).and_then(|jdk| JdkClasses::open(&jdk.home));
        let jdk = match jdk {
            Ok(jdk) => Some(jdk),
            Err(error) if java_home.is_some() => return Err(error),
            Err(error) => {
                output::warning(&format!(
                    "calls of the JDK's methods count as changing their object: {error:#}; or leave associations between \
                     methods out with --no-inter"
                ));
                None
            }
        };
        Ok(Self { program, jdk })
    }
}

impl Library {
    /// The classes of the class path.
    pub fn program(&self) -> &Classes {
        &self.program
    }
}

impl ClassSource for Library {
    fn class(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        let found = self.program.class(name).or_else(|| self.jdk.as_ref()?.class(name));
        found.map(Cow::Owned)
    }
}
