package program

import _ "embed"

// Source is the source of the program except for its function main: the file that declares [Run].
//
//go:embed program.go
var Source string
