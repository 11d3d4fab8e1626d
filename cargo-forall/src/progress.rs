//! The progress bar: a line on a terminal, nothing in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// Creates a bar for a number of steps. `limit` is printed after the elapsed time.
    pub fn new(things: usize, limit: &str) -> Self {
        Self::on(ProgressDrawTarget::stderr(), things, limit)
    }

    /// A hidden bar.
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

    /// Shows the number of finished steps and the current one.
    pub fn begin(&self, done: usize, next: &str) {
        self.0.set_position(done as u64);
        self.0.set_message(next.to_owned());
    }

    /// Redraws the elapsed time.
    pub fn tick(&self) {
        self.0.tick();
    }

    /// Hides the bar while `print` runs.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
