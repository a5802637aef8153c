// Package graphviz lays out graphs with the program dot of Graphviz 12.1.2, compiled to WebAssembly: no C and no installed program are needed,
// and the same graph has the same layout on every machine.
//
// graphviz.wasm.gz is the file internal/wasm/graphviz.wasm of github.com/goccy/go-graphviz v0.2.10, which cannot be imported here: the package
// of that module compiles the file to machine code when a process starts, which takes a second in each command that links it, or loads
// machine code from a folder in the shared temporary folder. This package loads the file when a graph is laid out for the first time. A few small
// graphs are interpreted, which costs a tenth of a second and not a second; for more, the file is compiled in memory. No machine code is read from
// a file or written to one. LICENSE names the licences of Graphviz, Expat and go-graphviz.
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//
//		"github.com/cassaml/cassaml/codegen/diagram/graphviz"
//	)
//
//	func main() {
//		layout, err := graphviz.Dot("digraph { a -> b }")
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(layout.Width, layout.Height, layout.Nodes["a"])
//	}
package graphviz
