// Count measures the structure of the packages of the module: the arrows between the files of a package, and with -names the forms of
// names and of comments that it should not have.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"

	"golang.org/x/tools/go/packages"
)

func main() {
	list := flag.Bool("v", false, "list the upward arrows and the order, or the places that -names counts")
	methods := flag.Bool("methods", false, "count methods as names of the file that declares them")
	names := flag.Bool("names", false, "count forms of names and of comments instead of arrows")
	limited := flag.Bool("max", false, "with -names: fail if a number is above its limit")
	flag.Parse()
	var err error
	if *names {
		err = countNames(flag.Args(), *list, *limited)
	} else {
		err = countArrows(flag.Args(), *list, *methods)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// countArrows prints the number of arrows between the files of each package.
func countArrows(patterns []string, list, methods bool) error {
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
