// Package modelfolder finds the folders that a command line names, and reads their models.
package modelfolder
