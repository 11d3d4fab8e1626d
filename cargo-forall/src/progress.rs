//! How far a command is: a line on a terminal, nothing in a pipe, where each thing that is done has a line of its own.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The line.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// For so many things to do. `limit` is said behind the time that has passed.
    pub fn new(things: usize, limit: &str) -> Self {
        Self::on(ProgressDrawTarget::stderr(), things, limit)
    }

    /// One that nobody sees.
    pub fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    fn on(target: ProgressDrawTarget, things: usize, limit: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(things as u64), target);
        let template = format!("{{bar:20}} {{pos}}/{{len}} {{elapsed}}{limit} {{wide_msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("##."));
        }
        Self(bar)
    }

    /// So many are done, and this is what comes next.
    pub fn begin(&self, done: usize, next: &str) {
        self.0.set_position(done as u64);
        self.0.set_message(next.to_owned());
    }

    /// Time passes.
    pub fn tick(&self) {
        self.0.tick();
    }

    /// Says something without the line in between.
    pub fn say(&self, say: impl FnOnce()) {
        self.0.suspend(say);
    }

    /// The line is gone.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
