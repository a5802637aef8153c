package load

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Generated is the name of the file that the generator writes. It is ignored when a package is read, so that an outdated or
// broken file does not prevent its generation.
const Generated = "aml_gen.go"

// loader is the state of reading a package.
type loader struct {
	fset      *token.FileSet
	path      string // the import path of the package
	dir       string
	files     []*ast.File
	imports   map[string]*types.Package
	structs   map[string]*model.Struct // the keys are full names
	sources   map[string][]byte        // the keys are file names
	names     map[string]string        // the names relative to the working directory; the keys are file names
	fields    map[token.Pos]*ast.Field // the keys are the positions of the names of fields
	docs      map[token.Pos]string     // doc comments of types, by the position of the type's name
	missing   []types.Error            // names of the package that are not declared
	open      map[*types.Named]bool    // the types being read since the last struct
	defined   map[token.Pos]*ast.Ident // the name over which a type is defined; the keys are the positions of the names of types
	uses      map[*ast.Ident]types.Object
	faults    []fault
	depth     int                // the depth of the type that is being read
	sizes     map[types.Type]int // the sizes of types, see size
	constants map[*types.Package]map[*types.Named][]model.Constant
}

func newLoader(fset *token.FileSet, path, dir string) *loader {
	return &loader{
		fset: fset, path: path, dir: dir, structs: map[string]*model.Struct{}, sources: map[string][]byte{}, names: map[string]string{},
		fields: map[token.Pos]*ast.Field{}, open: map[*types.Named]bool{},
		docs: map[token.Pos]string{}, defined: map[token.Pos]*ast.Ident{}, uses: map[*ast.Ident]types.Object{}, sizes: map[types.Type]int{}, constants: map[*types.Package]map[*types.Named][]model.Constant{},
	}
}

// read parses files of the file system.
func (l *loader) read(names []string) error {
	for _, name := range names {
		if filepath.Base(name) == Generated {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("load: %w", err)
		}
		l.parse(name, src)
	}
	return l.failed()
}

func (l *loader) parse(name string, src []byte) {
	l.sources[name] = src
	f, err := parser.ParseFile(l.fset, name, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		l.faults = append(l.faults, parserFaults(err)...)
		return
	}
	l.files = append(l.files, f)
	ast.Inspect(f, l.index)
}

// index records the positions of the fields of structs, because types do not contain the positions of tags, the types that
// named types are defined on top of, and doc comments.
func (l *loader) index(n ast.Node) bool {
	if d, ok := n.(*ast.GenDecl); ok {
		l.document(d)
	}
	if t, ok := n.(*ast.TypeSpec); ok {
		if name, ok := embeddedName(t.Type).(*ast.Ident); ok {
			l.defined[t.Name.Pos()] = name
		}
	}
	s, ok := n.(*ast.StructType)
	if !ok {
		return true
	}
	for _, f := range s.Fields.List {
		for _, name := range f.Names {
			l.fields[name.Pos()] = f
		}
		if len(f.Names) == 0 {
			l.fields[embeddedName(f.Type).Pos()] = f
		}
	}
	return true
}

func embeddedName(e ast.Expr) ast.Expr {
	switch t := e.(type) {
	case *ast.StarExpr:
		return embeddedName(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.IndexExpr:
		return embeddedName(t.X)
	case *ast.IndexListExpr:
		return embeddedName(t.X)
	}
	return e
}

func (l *loader) imported() []string {
	seen := map[string]bool{"unsafe": true, "C": true}
	var out []string
	for _, f := range l.files {
		for _, i := range f.Imports {
			if path, err := strconv.Unquote(i.Path.Value); err == nil && !seen[path] {
				seen[path] = true
				out = append(out, path)
			}
		}
	}
	return out
}

// Import returns a dependency to the type checker.
func (l *loader) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := l.imports[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("missing types of %s", path)
}

// fault is a compiler error at a position.
type fault struct {
	pos model.Pos
	msg string
}

func parserFaults(err error) []fault {
	list, ok := err.(scanner.ErrorList)
	if !ok {
		return []fault{{msg: err.Error()}}
	}
	var out []fault
	for _, e := range list {
		out = append(out, fault{place(e.Pos), e.Msg})
	}
	return out
}

// cause returns the cause of an ended context, which the go command's own error does not contain.
func cause(ctx context.Context, err error) error {
	return cmp.Or(ctx.Err(), err)
}

// inOrder returns the declarations of a package in the order of the source.
func (l *loader) inOrder(s *types.Scope) []types.Object {
	var out []types.Object
	for _, n := range s.Names() {
		out = append(out, s.Lookup(n))
	}
	slices.SortFunc(out, func(a, b types.Object) int {
		p, q := l.fset.Position(a.Pos()), l.fset.Position(b.Pos())
		if p.Filename != q.Filename {
			return strings.Compare(p.Filename, q.Filename)
		}
		return p.Offset - q.Offset
	})
	return out
}

// pos returns a position with the file's name relative to the working directory.
func (l *loader) pos(p token.Pos) model.Pos {
	at := l.fset.Position(p)
	name, ok := l.names[at.Filename]
	if !ok {
		name = relative(at.Filename)
		l.names[at.Filename] = name
	}
	return model.Pos{File: name, Line: at.Line, Col: at.Column}
}

func place(at token.Position) model.Pos {
	return model.Pos{File: relative(at.Filename), Line: at.Line, Col: at.Column}
}

// relative returns the name of a file relative to the working directory, if it is below that.
func relative(file string) string {
	if wd, err := os.Getwd(); err == nil {
		if r, err := filepath.Rel(wd, file); err == nil && !strings.HasPrefix(r, "..") {
			return r
		}
	}
	return file
}
