// Package lex splits CQL texts into tokens and words, by the rules of the server's lexer, and reads words one by one. It
// does not check the grammar.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/internal/lex"
//	)
//
//	func main() {
//		r := &lex.Reader{Words: lex.Words(`DROP TABLE shop."Orders"`)}
//		if r.Accept("DROP", "TABLE") {
//			fmt.Println(r.Qualified("")) // shop Orders
//		}
//	}
package lex
