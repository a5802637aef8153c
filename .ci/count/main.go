// Count measures the structure of the packages of the module.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"

	"golang.org/x/tools/go/packages"
)

func main() {
	list := flag.Bool("v", false, "list the upward arrows and the order")
	methods := flag.Bool("methods", false, "count methods as names of the file that declares them")
	flag.Parse()
	if err := run(flag.Args(), *list, *methods); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(patterns []string, list, methods bool) error {
	ps, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedCompiledGoFiles | packages.NeedTypesInfo}, patterns...)
	if err != nil {
		return err
	}
	slices.SortFunc(ps, func(a, b *packages.Package) int { return len(b.CompiledGoFiles) - len(a.CompiledGoFiles) })
	for _, p := range ps {
		g := fileGraph(p, methods)
		o := g.order()
		up := g.upward(o)
		fmt.Printf("%s: %d files, %d arrows, %d upward\n", p.PkgPath, len(g.names), g.arrows(), len(up))
		if !list {
			continue
		}
		for _, i := range o {
			fmt.Print(" ", g.names[i])
		}
		fmt.Println()
		for _, a := range up {
			fmt.Println("\t" + a)
		}
	}
	return nil
}
