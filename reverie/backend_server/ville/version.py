"""The version of the package, which installers, pages, checkpoints and results of studies read here."""

VERSION = "1.1.0"
