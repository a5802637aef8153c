// Package commandline runs a command line of aml: its options with one dash, its completion in a shell, signals, its whole output, and
// its exit code.
package commandline
