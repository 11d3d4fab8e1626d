//! Programs that are started as if no CI service ran the tests.

use std::process::Command;

/// Takes away all variables by which a CI service is recognised.
pub fn not_in_ci(command: &mut Command) {
    for name in ["CI", "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION"] {
        command.env_remove(name);
    }
    for name in ["CIRCLECI", "TRAVIS", "APPVEYOR", "DRONE", "CODEBUILD_BUILD_ID", "BITBUCKET_BUILD_NUMBER", "CIRRUS_CI"]
    {
        command.env_remove(name);
    }
}
