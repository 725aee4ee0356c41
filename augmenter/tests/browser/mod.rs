//! A headless Chromium, driven by the DevTools protocol over two pipes.
//!
//! Knows nothing of the pages. Invariants: nothing is asked of the network, no port is opened; whatever a page reports to the console or throws is kept for the
//! test to look at; the browser ends with the value.

#![allow(dead_code, reason = "each test file uses some of it")]

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What reports trouble of a page.
const TROUBLE: &[&str] = &["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"];

/// A browser with one page.
pub struct Browser {
    child: Child,
    to: File,
    from: BufReader<File>,
    number: u64,
    session: Option<String>,
    /// What pages complained about.
    pub trouble: Vec<String>,
    _folder: TempDir,
}

impl Browser {
    /// Starts one.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["to", "from"] {
            mkfifo(&path(name), Mode::S_IRUSR | Mode::S_IWUSR).unwrap();
        }
        // The browser reads file descriptor 3 and writes 4; a shell opens the pipes there.
        let script = "exec chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --disable-background-networking --remote-debugging-pipe --user-data-dir=\"$2\" 3<\"$0\" 4>\"$1\"";
        let mut command = Command::new("sh");
        command.args(["-c", script]).args([path("to"), path("from"), path("profile")]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let to = OpenOptions::new().write(true).open(path("to")).unwrap();
        let from = BufReader::new(File::open(path("from")).unwrap());
        let mut browser =
            Self { child, to, from, number: 0, session: None, trouble: vec![], _folder: folder };
        let target = browser.command("Target.createTarget", json!({"url": "about:blank"}));
        let attached = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.command("Target.attachToTarget", attached);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.command(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Carries out a command; what happens meanwhile is looked at for trouble.
    pub fn command(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The answer to a command, which may be an error.
    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let mut message = json!({"id": self.number, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut bytes = vec![];
            self.from.read_until(0, &mut bytes).unwrap();
            assert_eq!(bytes.pop(), Some(0), "is Chromium installed (scripts/setup)? {method} has no answer");
            let answer: Value = serde_json::from_slice(&bytes).unwrap();
            if answer["id"] == self.number {
                return answer;
            }
            if TROUBLE.iter().any(|what| answer["method"] == *what) {
                self.trouble.push(answer["params"].to_string());
            }
        }
    }

    /// Opens a file of a page, followed by `#...` perhaps, in a window of this width, and waits until it is loaded.
    pub fn open(&mut self, file: &Path, fragment: &str, width: u32, scheme: &str) {
        self.show_as(width, scheme, "");
        let url = format!("file://{}{fragment}", file.display());
        self.command("Page.navigate", json!({"url": "about:blank"}));
        self.command("Page.navigate", json!({"url": url}));
        self.wait_for("location.protocol === 'file:' && document.readyState === 'complete'");
    }

    /// Width of the window, colours the user prefers, and medium: nothing, or `print`.
    pub fn show_as(&mut self, width: u32, scheme: &str, medium: &str) {
        let size = json!({"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false});
        self.command("Emulation.setDeviceMetricsOverride", size);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.command("Emulation.setEmulatedMedia", json!({"media": medium, "features": features}));
    }

    /// The value of an expression.
    pub fn value(&mut self, expression: &str) -> Value {
        let result = self.command("Runtime.evaluate", evaluation(expression));
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// The text of what a selector finds first.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({selector:?})?.textContent ?? null"));
        text.as_str().unwrap_or_else(|| panic!("nothing is found by {selector}")).to_owned()
    }

    /// Waits until an expression is true. While a page gives way to another, an evaluation is cut off; it is then repeated.
    pub fn wait_for(&mut self, expression: &str) {
        let begun = Instant::now();
        loop {
            let answer = self.answer("Runtime.evaluate", evaluation(expression));
            if answer["result"]["result"]["value"] == true {
                return;
            }
            let cut_off = answer["error"]["message"] == "Inspected target navigated or closed";
            let evaluated = answer["error"].is_null() && answer["result"]["exceptionDetails"].is_null();
            assert!(evaluated || cut_off, "{expression}: {answer}");
            assert!(begun.elapsed() < Duration::from_secs(60), "it never came that {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key, as a user does.
    pub fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        let text = if key == "Enter" { "\r" } else { text };
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "ArrowUp" => 38,
            "ArrowDown" => 40,
            _ => 0,
        };
        let down = json!({"type": "keyDown", "key": key, "text": text, "windowsVirtualKeyCode": code});
        self.command("Input.dispatchKeyEvent", down);
        self.command(
            "Input.dispatchKeyEvent",
            json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}),
        );
    }

    /// Types a text.
    pub fn type_text(&mut self, text: &str) {
        self.command("Input.insertText", json!({"text": text}));
    }

    /// A picture of the window, as PNG in base 64.
    pub fn picture(&mut self) -> String {
        self.command("Page.captureScreenshot", json!({}))["data"].as_str().unwrap().to_owned()
    }
}

/// What an evaluation is asked for.
fn evaluation(expression: &str) -> Value {
    json!({"expression": expression, "returnByValue": true})
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Best effort: a browser that has ended already cannot be ended.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
