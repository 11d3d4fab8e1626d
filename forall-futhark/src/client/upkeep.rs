//! Commands for the server itself: names, tuning, profiling.

use super::Error;
use super::server::Server;
use super::variable::Variable;

impl Server {
    /// Renames a variable, for readable files and logs.
    ///
    /// ```no_run
    /// # use forall_futhark::{client::{Options, Server}, data::Value};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// let one = server.put(&[Value::scalar(1u8)]).unwrap().remove(0);
    /// assert_eq!(server.rename(one, "answer").unwrap().name(), "answer");
    /// ```
    pub fn rename(&self, mut variable: Variable, name: &str) -> Result<Variable, Error> {
        self.ask(&["rename", variable.name(), name])?;
        variable.set_name(name);
        Ok(variable)
    }

    /// Frees all variables at once, and the server's caches. Earlier variables become invalid.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// server.clear().unwrap();
    /// ```
    pub fn clear(&self) -> Result<(), Error> {
        self.ask(&["clear"])?;
        self.shared.epoch.set(self.shared.epoch.get() + 1);
        self.shared.live.set(0);
        self.shared.leaked.set(0);
        Ok(())
    }

    /// Returns the names of an entry point's tuning parameters.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// for parameter in server.tuning_parameters("main").unwrap() {
    ///     println!("{parameter}: {}", server.tuning_parameter_class(&parameter).unwrap());
    /// }
    /// ```
    pub fn tuning_parameters(&self, entry_point: &str) -> Result<Vec<String>, Error> {
        self.ask(&["tuning_params", entry_point])
    }

    /// Returns the class of a tuning parameter.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert_eq!(server.tuning_parameter_class("main.threshold_0").unwrap(), "threshold");
    /// ```
    pub fn tuning_parameter_class(&self, parameter: &str) -> Result<String, Error> {
        Ok(self.ask(&["tuning_param_class", parameter])?.pop().unwrap_or_default())
    }

    /// Sets a tuning parameter.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// server.set_tuning_parameter("main.threshold_0", 1024).unwrap();
    /// ```
    pub fn set_tuning_parameter(&self, parameter: &str, value: i64) -> Result<(), Error> {
        self.ask(&["set_tuning_param", parameter, &value.to_string()]).map(drop)
    }

    /// Pauses profiling until [`Server::unpause_profiling`].
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// server.pause_profiling().unwrap();
    /// ```
    pub fn pause_profiling(&self) -> Result<(), Error> {
        self.ask(&["pause_profiling"]).map(drop)
    }

    /// Resumes profiling.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// server.unpause_profiling().unwrap();
    /// ```
    pub fn unpause_profiling(&self) -> Result<(), Error> {
        self.ask(&["unpause_profiling"]).map(drop)
    }

    /// Returns the profile, as JSON.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// println!("{}", server.report().unwrap());
    /// ```
    pub fn report(&self) -> Result<String, Error> {
        Ok(self.ask(&["report"])?.join("\n"))
    }
}
