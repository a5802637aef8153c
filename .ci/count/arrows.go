package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// graph has the files of a package, or the packages of a tree, as nodes. uses[i][j] lists the names of node j that node i uses.
type graph struct {
	names []string
	uses  []map[int][]string
}

// add adds a use of a name. Uses of one name are counted once.
func (g *graph) add(from, to int, name string) {
	if from != to && !slices.Contains(g.uses[from][to], name) {
		g.uses[from][to] = append(g.uses[from][to], name)
	}
}

// fileGraph returns the graph of the files of a package: a file uses another one if it names a package-level identifier, or a
// method, that the other one declares.
func fileGraph(p *packages.Package, methods bool) *graph {
	g := &graph{}
	index := map[string]int{}
	for i, path := range p.CompiledGoFiles {
		index[path] = i
		g.names = append(g.names, filepath.Base(path))
		g.uses = append(g.uses, map[int][]string{})
	}
	for i, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			o := p.TypesInfo.Uses[id]
			if o == nil || o.Pkg() != p.Types || !packageLevel(o, methods) {
				return true
			}
			if j, ok := index[p.Fset.Position(o.Pos()).Filename]; ok {
				g.add(i, j, o.Name())
			}
			return true
		})
	}
	return g
}

// packageLevel reports whether an object is declared at the level of a package or, if methods is true, is a method.
func packageLevel(o types.Object, methods bool) bool {
	if o.Parent() == o.Pkg().Scope() {
		return true
	}
	f, ok := o.(*types.Func)
	return methods && ok && f.Signature().Recv() != nil
}

// arrows returns the number of pairs of nodes of which the first uses the second.
func (g *graph) arrows() (n int) {
	for _, to := range g.uses {
		n += len(to)
	}
	return n
}

// order returns the nodes in an order in which as few arrows as the search finds lead from an earlier node to a later one: a node
// comes after the nodes that it uses. The search moves single nodes as long as this removes an arrow, from several starts.
func (g *graph) order() []int {
	var best []int
	least := -1
	for start := range 20 {
		o := g.start(start)
		g.improve(o)
		if n := len(g.upward(o)); least < 0 || n < least {
			best, least = o, n
		}
	}
	return best
}

// start returns one of several orders to start from: by the difference of the arrows out and in, and then rotated.
func (g *graph) start(n int) []int {
	in := make([]int, len(g.names))
	for _, to := range g.uses {
		for j := range to {
			in[j]++
		}
	}
	o := make([]int, len(g.names))
	for i := range o {
		o[i] = i
	}
	slices.SortStableFunc(o, func(a, b int) int { return (len(g.uses[a]) - in[a]) - (len(g.uses[b]) - in[b]) })
	if k := len(o); k > 0 {
		shift := n * 7 % k
		o = append(slices.Clone(o[shift:]), o[:shift]...)
	}
	return o
}

// improve moves nodes of an order to better places until no move of one node removes an arrow.
func (g *graph) improve(o []int) {
	for moved := true; moved; {
		moved = false
		for at := 0; at < len(o); at++ {
			if g.move(o, at) {
				moved = true
			}
		}
	}
}

// move moves the node at a place to the place with the fewest upward arrows. It reports whether that removes one.
func (g *graph) move(o []int, at int) bool {
	node, change, best, to := o[at], 0, 0, at
	for i := at - 1; i >= 0; i-- {
		change += g.arrow(node, o[i]) - g.arrow(o[i], node)
		if change < best {
			best, to = change, i
		}
	}
	change = 0
	for i := at + 1; i < len(o); i++ {
		change += g.arrow(o[i], node) - g.arrow(node, o[i])
		if change < best {
			best, to = change, i
		}
	}
	if to == at {
		return false
	}
	rest := slices.Delete(slices.Clone(o), at, at+1)
	copy(o, slices.Insert(rest, to, node))
	return true
}

// arrow returns 1 if node i uses node j, and 0 otherwise.
func (g *graph) arrow(i, j int) int {
	if len(g.uses[i][j]) > 0 {
		return 1
	}
	return 0
}

// upward returns the arrows that lead from a node to a later one of an order, with the names that are used.
func (g *graph) upward(o []int) (out []string) {
	place := make([]int, len(o))
	for p, i := range o {
		place[i] = p
	}
	for _, i := range o {
		for j, names := range g.uses[i] {
			if place[j] > place[i] {
				slices.Sort(names)
				out = append(out, fmt.Sprintf("%s -> %s: %s", g.names[i], g.names[j], strings.Join(names, " ")))
			}
		}
	}
	slices.Sort(out)
	return out
}
