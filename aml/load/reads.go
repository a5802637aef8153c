package load

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/token"
	"go/types"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// reads finds the fields that the methods of structs read, if a tag of the package contains a path through a method. The files are
// type-checked again with the bodies of functions, whose errors are ignored: an expression without a type counts as reading every field.
func (l *loader) reads(in []*model.Struct) {
	if !l.usesMethods() {
		return
	}
	b := &bodies{l: l, declared: map[types.Object]*ast.FuncDecl{}}
	b.info = &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
	pkg, _ := config.Check(l.path, l.fset, l.files, b.info) // the first check has reported the errors
	for _, f := range l.files {
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok {
				b.declared[b.info.Defs[decl.Name]] = decl
			}
		}
	}
	for _, s := range in {
		if t, ok := pkg.Scope().Lookup(s.Name).(*types.TypeName); ok {
			b.methods(s, t.Type())
		}
	}
}

// usesMethods reports whether a tag contains a path through a method.
func (l *loader) usesMethods() bool {
	for _, f := range l.fields {
		if f.Tag != nil && strings.Contains(f.Tag.Value, "()") {
			return true
		}
	}
	return false
}

// bodies are the bodies of the functions of a package, with their types.
type bodies struct {
	l        *loader
	info     *types.Info
	declared map[types.Object]*ast.FuncDecl
}

// methods sets the fields that the methods of a struct read.
func (b *bodies) methods(s *model.Struct, t types.Type) {
	set := types.NewMethodSet(types.NewPointer(t))
	for _, m := range s.Methods {
		if m.Params != 0 || len(m.Results) != 1 {
			continue
		}
		if found := set.Lookup(b.typePackage(t), m.Name); found != nil {
			r := &reading{bodies: b, seen: map[string]bool{}}
			r.call(found, nil)
			m.Reads = &model.Reads{Paths: r.paths, Everything: r.why}
		}
	}
}

func (b *bodies) typePackage(t types.Type) *types.Package { return t.(*types.Named).Obj().Pkg() }

// reading collects the fields that one method reads.
type reading struct {
	*bodies
	paths [][]string // Go names from the struct, through embedded structs, to the field
	why   string     // it reads every field, and why
	seen  map[string]bool
}

// everything records that the method reads every field. The first reason is kept.
func (r *reading) everything(at ast.Node, why string, args ...any) {
	if r.why == "" {
		p := r.l.pos(at.Pos())
		r.why = fmt.Sprintf(why, args...) + fmt.Sprintf(" (%s:%d)", filepath.Base(p.File), p.Line)
	}
}

// call follows a method of a struct at the end of a path of embedded structs.
func (r *reading) call(m *types.Selection, path []string) {
	f := m.Obj().(*types.Func)
	path, whole := r.follow(m, len(m.Index())-1, path)
	decl := r.declared[f.Origin()]
	switch {
	case !whole && f.Pkg().Path() != r.l.path:
		r.field(path)
	case decl == nil || decl.Body == nil:
		r.why = firstText(r.why, f.Name()+" is not declared in Go in the package of the model")
	case !whole: // a method of a field, for the package variables that it uses
		r.field(path)
		r.body(decl, noReceiver)
	default:
		r.body(decl, path)
	}
}

func firstText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// follow appends the first n fields of a selection to a path. If whole is false, the path ends with the first field that is not an
// embedded struct whose fields count as fields of the struct around it.
func (r *reading) follow(s *types.Selection, n int, path []string) (_ []string, whole bool) {
	t := s.Recv()
	path = slices.Clone(path)
	for _, i := range s.Index()[:n] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		of := t.Underlying().(*types.Struct)
		f := of.Field(i)
		path, t = append(path, f.Name()), f.Type()
		if _, tagged := reflect.StructTag(of.Tag(i)).Lookup("aml"); !f.Embedded() || tagged {
			return path, false
		}
	}
	return path, true
}

// field records that a field is read.
func (r *reading) field(path []string) {
	if !slices.ContainsFunc(r.paths, func(p []string) bool { return slices.Equal(p, path) }) {
		r.paths = append(r.paths, path)
	}
}

// body follows the body of a function. path leads from the struct of the model to the receiver; for a function that does not have
// the struct, it is noReceiver.
func (r *reading) body(decl *ast.FuncDecl, path []string) {
	key := fmt.Sprint(decl.Pos(), path)
	if r.seen[key] || r.why != "" {
		return
	}
	r.seen[key] = true
	if r.constrained(decl) {
		r.everything(decl, "%s is in a file with a build constraint", decl.Name.Name)
		return
	}
	var receiver types.Object
	if decl.Recv != nil && len(decl.Recv.List[0].Names) == 1 && !slices.Equal(path, noReceiver) {
		receiver = r.info.Defs[decl.Recv.List[0].Names[0]]
	}
	ast.PreorderStack(decl.Body, nil, func(n ast.Node, stack []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			r.identifier(id, stack, receiver, path)
		}
		return r.why == ""
	})
}

// noReceiver is the path to the receiver of a function or a method that does not have the struct of the model.
var noReceiver = []string{""}

// identifier follows one name of a body.
func (r *reading) identifier(id *ast.Ident, stack []ast.Node, receiver types.Object, path []string) {
	used := r.info.Uses[id]
	if used == nil {
		if _, defined := r.info.Defs[id]; !defined && id.Name != "_" {
			r.everything(id, "%s is not resolved", id.Name)
		}
		return
	}
	switch o := used.(type) {
	case *types.Var:
		switch {
		case receiver != nil && o == receiver:
			r.receiver(id, stack, path)
		case !o.IsField() && (o.Pkg() == nil || o.Pkg().Path() != r.l.path || o.Parent() == o.Pkg().Scope()):
			r.everything(id, "it uses the package variable %s", id.Name)
		}
	case *types.Func:
		r.function(id, o)
	}
}

// function follows a function, or a method of another value than the struct, for the package variables that it uses.
func (r *reading) function(id *ast.Ident, f *types.Func) {
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		r.everything(id, "%s is a method of an interface", id.Name)
		return
	}
	if f.Pkg() == nil || f.Pkg().Path() != r.l.path {
		return // the function has only its arguments
	}
	decl := r.declared[f.Origin()]
	if decl == nil || decl.Body == nil {
		r.everything(id, "%s is not resolved", id.Name)
		return
	}
	r.body(decl, noReceiver)
}

// receiver follows a use of the receiver: it selects a field, or it calls a method.
func (r *reading) receiver(id *ast.Ident, stack []ast.Node, path []string) {
	if slices.ContainsFunc(stack, func(n ast.Node) bool { _, closure := n.(*ast.FuncLit); return closure }) {
		r.everything(id, "a closure uses the receiver")
		return
	}
	at := outer(id, stack)
	for at.whole {
		selector, ok := at.parent().(*ast.SelectorExpr)
		selection := r.info.Selections[selector]
		if !ok || selector.X != at.node || selection == nil {
			r.everything(id, "it uses the receiver as a value")
			return
		}
		up := at.up()
		if selection.Kind() != types.FieldVal {
			if call, ok := up.parent().(*ast.CallExpr); !ok || call.Fun != up.node {
				r.everything(id, "it uses the method %s as a value", selector.Sel.Name)
				return
			}
			r.call(selection, path)
			return
		}
		path, up.whole = r.follow(selection, len(selection.Index()), path)
		at = up
	}
	if r.field(path); at.changed() {
		r.everything(id, "it changes a field of the receiver, or takes its address")
	}
}

// position is an expression in a body, with the nodes around it.
type position struct {
	node  ast.Node
	stack []ast.Node
	whole bool // it is the struct of the model, or an embedded struct of it
}

// outer returns the expression of the receiver with its parentheses and the * of a pointer.
func outer(id *ast.Ident, stack []ast.Node) position {
	p := position{id, stack, true}
	for {
		switch p.parent().(type) {
		case *ast.ParenExpr, *ast.StarExpr:
			p = p.up()
		default:
			return p
		}
	}
}

func (p position) parent() ast.Node {
	if len(p.stack) == 0 {
		return nil
	}
	return p.stack[len(p.stack)-1]
}

// up returns the parent, with its parentheses.
func (p position) up() position {
	q := position{p.parent(), p.stack[:len(p.stack)-1], p.whole}
	for {
		if _, ok := q.parent().(*ast.ParenExpr); !ok {
			return q
		}
		q.node, q.stack = q.parent(), q.stack[:len(q.stack)-1]
	}
}

// changed reports whether a value in the expression is assigned, or its address is taken.
func (p position) changed() bool {
	for {
		switch n := p.parent().(type) {
		case *ast.SelectorExpr, *ast.SliceExpr, *ast.StarExpr, *ast.ParenExpr:
		case *ast.IndexExpr:
			if n.X != p.node {
				return false
			}
		case *ast.UnaryExpr:
			return n.Op == token.AND
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return e == p.node })
		case *ast.IncDecStmt:
			return true
		case *ast.RangeStmt:
			return n.Key == p.node || n.Value == p.node
		default:
			return false
		}
		p = p.up()
	}
}

// constrained reports whether the file of a declaration belongs to some platforms or builds only: another file can declare the same
// function with another body.
func (r *reading) constrained(decl *ast.FuncDecl) bool {
	name := r.l.fset.Position(decl.Pos()).Filename
	for _, f := range r.l.files {
		if f.FileStart > decl.Pos() || decl.Pos() >= f.FileEnd {
			continue
		}
		for _, c := range f.Comments {
			for _, line := range c.List {
				if line.Pos() < f.Package && (constraint.IsGoBuild(line.Text) || constraint.IsPlusBuild(line.Text)) {
					return true
				}
			}
		}
	}
	nowhere := build.Context{GOOS: "nowhere", GOARCH: "nowhere", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	matches, err := nowhere.MatchFile(filepath.Dir(name), filepath.Base(name))
	return err != nil || !matches
}
