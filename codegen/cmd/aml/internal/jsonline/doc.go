// Package jsonline writes the output of -json: one object per line.
package jsonline
