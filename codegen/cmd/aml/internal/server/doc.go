// Package server connects the commands to a server.
package server
