"""The checks of a grading, one idea a file. Each is a function of the evidence that lists `CheckResult`s."""
