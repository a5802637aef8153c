package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
)

// The import paths of this project and of the drivers.
const (
	module     = "github.com/cassaml/cassaml"
	gocqlPath  = cqltype.Gocql
	apachePath = cqltype.ApacheDriver
)

// imports collects the packages that the generated file uses.
type imports struct {
	self  string
	model string // the package of the model
	names *names
	used  map[string]string // path -> local name
}

// Import is a line of the import declaration; Name is "" if the package's own name is used.
type Import struct{ Name, Path string }

// fixed are the packages that the templates use, besides the packages of the driver.
var fixed = []Import{{"context", "context"}, {"mapper", module + "/mapper"}, {"gen", module + "/mapper/gen"}}

func newImports(self, of string, n *names, d *driver) *imports {
	i := &imports{self: self, model: of, names: n, used: map[string]string{}}
	for _, f := range slices.Concat(fixed, d.imports) {
		n.imported(f.Name, f.Path)
		i.used[f.Path] = f.Name
	}
	return i
}

// pkg returns the local name of a package, which is unique in the file.
func (i *imports) pkg(path, name string) string {
	if local, ok := i.used[path]; ok {
		return local
	}
	local := name
	for i.isTaken(local) || !i.names.free(local) {
		local += "_"
	}
	i.used[path] = local
	return local
}

func (i *imports) isTaken(local string) bool {
	for _, l := range i.used {
		if l == local {
			return true
		}
	}
	return false
}

// sorted returns the standard library first, then the others, each group by path.
func (i *imports) sorted() (std, others []Import) {
	for path, local := range i.used {
		im := Import{Path: path}
		if ownName(path) != local {
			im.Name = local
		}
		if isStandard(path) {
			std = append(std, im)
		} else {
			others = append(others, im)
		}
	}
	byPath := func(a, b Import) int { return cmp.Compare(a.Path, b.Path) }
	slices.SortFunc(std, byPath)
	slices.SortFunc(others, byPath)
	return std, others
}

// ownName returns the name of a package according to its path.
func ownName(path string) string {
	switch path {
	case "github.com/scylladb/gocqlx/v2":
		return "gocqlx"
	case apachePath:
		return "gocql"
	case "gopkg.in/inf.v0":
		return "inf"
	}
	return path[strings.LastIndex(path, "/")+1:]
}

// isStandard reports whether a path is in the standard library: its first element has no dot.
func isStandard(path string) bool {
	for _, r := range path {
		if r == '/' {
			break
		}
		if r == '.' {
			return false
		}
	}
	return true
}

// goType returns a Go type as it is written in the generated file, and imports its packages.
func (i *imports) goType(g *model.GoType) string { return spell(g, i.qualify) }

// qualify returns the name of a type with its package.
func (i *imports) qualify(path, pkg, name string) string {
	if path == "" || path == i.self {
		return name
	}
	return i.pkg(path, pkg) + "." + name
}

// own reports whether a package has the store or the model. Its structs have short names in the names of functions.
func (i *imports) own(path string) bool { return path == i.self || path == i.model }

// canImport reports whether a package can import another one: only packages below the folder around a folder internal import its packages.
func canImport(from, path string) bool {
	elements := strings.Split(path, "/")
	for at, element := range slices.Backward(elements) {
		if element == "internal" {
			around := strings.Join(elements[:at], "/")
			return around != "" && (from == around || strings.HasPrefix(from, around+"/"))
		}
	}
	return true
}

// spell returns a Go type as text; qualify returns the names in it.
func spell(g *model.GoType, qualify func(path, pkg, name string) string) string {
	if n := g.Named; n != nil {
		return qualify(n.Path, n.Pkg, n.Name) + spellArguments(n, qualify)
	}
	if l, ok := cqltype.GoType(g.Kind.Native()); ok && strings.HasPrefix(l.Text, "*") {
		pkg, name, _ := strings.Cut(l.Text[1:], ".")
		return "*" + qualify(l.Import, pkg, name)
	}
	switch g.Kind {
	case model.Bytes:
		return "[]byte"
	case model.Slice:
		return "[]" + spell(g.Elem, qualify)
	case model.Pointer:
		return "*" + spell(g.Elem, qualify)
	case model.Map:
		return "map[" + spell(g.Key, qualify) + "]" + spell(g.Elem, qualify)
	case model.Array:
		return fmt.Sprintf("[%d]%s", g.Len, spell(g.Elem, qualify))
	case model.EmptyStruct:
		return "struct{}"
	}
	return g.Text
}

// spellArguments returns the type arguments of an instance of a generic type.
func spellArguments(n *model.GoName, qualify func(path, pkg, name string) string) string {
	var args []string
	for _, a := range n.Args {
		args = append(args, spell(a, qualify))
	}
	if args == nil {
		return ""
	}
	return "[" + strings.Join(args, ", ") + "]"
}

// structType returns the name of a struct.
func (i *imports) structType(s *model.Struct) string {
	return i.qualify(s.Path, s.Pkg, s.Name)
}
