package alternatives

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen"
	listing "github.com/cassaml/cassaml/codegen/alternatives"
)

// effects are the names of effects in a [Call].
var effects = map[listing.Effect]string{listing.Inserting: "inserting", listing.Adding: "adding", listing.Changing: "changing",
	listing.Removing: "removing", listing.Renaming: "renaming", listing.Deleting: "deleting"}

// Program is a program with the stores of designs, which calls each of them. It is compiled in a folder of this module that has no files: the go
// command sees them by an overlay.
type Program struct {
	Designs  []*listing.Alternative
	Packages map[string]string   // the names of the packages, by the names of the designs
	Schemas  map[string][]string // the statements for each design, by the name of its package

	texts map[string][]byte
}

// source has the parts of the main file of a program that depend on its stores.
type source struct{ imports, calls strings.Builder }

// folder is the folder of the programs, seen from the root of the module.
const folder = "integration/alternatives/testdata/designs"

// NewProgram returns the program for those designs of a relationship that have a store, and that a function chooses.
func NewProgram(l *listing.Listing, chosen func(design string) bool) (*Program, error) {
	return newProgram(l, chosen, nil)
}

// newProgram returns the program for the chosen designs, with the stores of peers.
func newProgram(l *listing.Listing, chosen func(design string) bool, peers map[string]peer) (*Program, error) {
	p := &Program{Schemas: map[string][]string{}, texts: map[string][]byte{}, Packages: map[string]string{}}
	main := &source{}
	for i, a := range l.Alternatives {
		if a.Refused != "" || a.NoStore != "" || a.Costs[listing.Insert] == nil || !chosen(a.Name) {
			continue
		}
		p.Designs = append(p.Designs, a)
		name := fmt.Sprint("design", i)
		path := "github.com/cassaml/cassaml/" + folder + "/" + name
		err := a.Package(codegen.Config{}, path, func(file string, data []byte) {
			if strings.HasSuffix(file, ".go") {
				p.texts[name+"/"+file] = bytes.Replace(data, []byte("\npackage "+a.Model.Package.Name), []byte("\npackage "+name), 1)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		d := describe(l, a)
		p.add(main, store{design: a.Name, name: name, path: path, open: fmt.Sprintf("if session != nil {\n\t\t\treturn %s.Open(context.Background(), *session, mapper.Config{Tracer: t, Timeout: alternatives.CallTime()})\n\t\t}\n"+
			"\t\treturn %s.OpenBackend(context.Background(), memory.New(memory.Config{}), mapper.Config{Tracer: t})", name, name)}, a, d)
		if x, ok := peers[a.Name]; ok {
			p.add(main, x.store(a.Name, name), a, d)
		}
	}
	if len(peers) > 0 {
		fmt.Fprintf(&main.imports, "\t%q\n", byHandPath)
	}
	text, err := format.Source(fmt.Appendf(nil, program, main.imports.String(), main.calls.String()))
	if err != nil {
		return nil, err
	}
	p.texts["main.go"] = text
	return p, nil
}

// store is a store of a program: generated, or written by hand.
type store struct {
	design string // the name in the results
	name   string // the name of its package
	path   string
	open   string // the statements that return the store of a session and a tracer t
}

// add adds a store of a design, with a schema of its own.
func (p *Program) add(main *source, s store, a *listing.Alternative, d Design) {
	fmt.Fprintf(&main.imports, "\t%s %q\n", s.name, s.path)
	fmt.Fprintf(&main.calls, "\trun(%q, %q, func(session *gocqlx.Session, t mapper.Tracer) (any, error) {\n\t\t%s\n\t}, %#v)\n", s.design, s.name, s.open, d)
	p.Schemas[s.name], p.Packages[s.design] = a.Schema.Statements(), s.name
}

// describe returns the parts of a design that the program must know.
func describe(l *listing.Listing, a *listing.Alternative) Design {
	side := func(s *listing.Side) Side {
		out := Side{Struct: s.Struct}
		for _, k := range s.Key {
			out.Key = append(out.Key, k.Name)
		}
		if f := s.Changed(); f != nil {
			out.Changed = f.Name
		}
		return out
	}
	d := Design{Root: side(l.Root), Element: side(l.Element), Elements: l.Elements, Keys: map[string][]string{}, Partition: map[string]int{}, Operations: map[string][]Call{}}
	for _, x := range a.Model.Aggregates {
		for _, k := range x.Key() {
			d.Keys[x.Struct.Name] = append(d.Keys[x.Struct.Name], k.GoName())
		}
		d.Partition[x.Struct.Name] = len(x.Identifier)
		for _, to := range x.Associations {
			target := to.Target.Struct.Name
			isSide := target == l.Root.Struct || target == l.Element.Struct
			if isSide || to.Attribute.Key || slices.Contains(d.ToOthers, to.Attribute.GoName()) { // the sample has its keys
				continue
			}
			d.ToOthers = append(d.ToOthers, to.Attribute.GoName())
			if !slices.Contains(d.Others, target) {
				d.Others = append(d.Others, target)
			}
		}
	}
	for o, calls := range a.Calls {
		for _, c := range calls {
			d.Operations[string(o)] = append(d.Operations[string(o)], Call{Of: c.Of, Method: c.Method, Field: c.Field, Effect: effects[c.Effect], Each: c.Each})
		}
	}
	return d
}

// Build compiles the program to a file. module is the root of this module, and dir a folder for temporary files.
func (p *Program) Build(ctx context.Context, module, dir, file string) error {
	at, err := filepath.Abs(filepath.Join(module, folder))
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for name, text := range p.texts {
		to := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(to, text, 0o600); err != nil {
			return err
		}
		replace[filepath.Join(at, filepath.FromSlash(name))] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-overlay="+overlay, "-o", file, "./"+folder)
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

const program = `package main

import (
	"context"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/integration/alternatives"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
%s)

var run = alternatives.Runner()

func main() {
%s	alternatives.Print()
}
`
