package load

import (
	"go/ast"
	"go/token"

	"github.com/cassaml/cassaml/aml/model"
)

// maxExtent is the maximum number of values that a type can contain by value, directly or in structs. The type checker and the compiler
// visit each of them, so their time doubles with each level of structs that contain the next one twice. It is far above the limit of a model.
const maxExtent = 1 << 15

// extents counts the values in the types of a package, from its syntax.
type extents struct {
	types map[string]*ast.TypeSpec
	known map[string]int  // the sizes of types without type parameters
	open  map[string]bool // the types that are being counted: the type checker reports that they contain themselves
	over  *ast.TypeSpec   // the innermost type with too many values; nil for none
}

// tooLarge returns a struct with a field that the model refuses, for a type of the package that contains too many values; nil if there is
// none.
func (l *loader) tooLarge(pkg string) *model.Struct {
	x := &extents{types: map[string]*ast.TypeSpec{}, known: map[string]int{}, open: map[string]bool{}}
	specs := l.typeSpecs()
	for _, t := range specs {
		x.types[t.Name.Name] = t
	}
	for _, t := range specs {
		if t.TypeParams == nil {
			x.named(t.Name.Name, nil)
		}
	}
	if x.over == nil {
		return nil
	}
	name, pos := x.over.Name.Name, l.pos(x.over.Name.Pos())
	field := &model.Field{Name: name, Pos: pos, Exported: true, Type: &model.GoType{Kind: model.TooDeep, Text: name}}
	return &model.Struct{Name: name, Path: l.path, Pkg: pkg, Pos: pos, Marker: model.ValueObjectMarker, Fields: []*model.Field{field}}
}

// typeSpecs returns the types that the package declares, in the order of its files.
func (l *loader) typeSpecs() (out []*ast.TypeSpec) {
	for _, f := range l.files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					out = append(out, s.(*ast.TypeSpec))
				}
			}
		}
	}
	return out
}

// named counts the values in a type of the package whose type arguments contain so many values. A type of another package is one value.
func (x *extents) named(name string, arguments []int) int {
	t := x.types[name]
	if t == nil || x.open[name] {
		return 1
	}
	if n, ok := x.known[name]; ok {
		return n
	}
	x.open[name] = true
	defer delete(x.open, name)
	n := x.count(t.Type, parameters(t, arguments))
	if t.TypeParams == nil {
		x.known[name] = n
		if n > maxExtent && x.over == nil {
			x.over = t
		}
	}
	return n
}

// parameters returns the numbers of values in the type arguments by the names of the type parameters.
func parameters(t *ast.TypeSpec, arguments []int) map[string]int {
	out := map[string]int{}
	if t.TypeParams == nil {
		return out
	}
	for _, f := range t.TypeParams.List {
		for _, n := range f.Names {
			if i := len(out); i < len(arguments) {
				out[n.Name] = arguments[i]
			}
		}
	}
	return out
}

// count counts the values in a type, up to a little more than maxExtent. The values behind a pointer, a slice or a map are not counted.
func (x *extents) count(e ast.Expr, parameters map[string]int) int {
	switch t := e.(type) {
	case *ast.Ident:
		if n, ok := parameters[t.Name]; ok {
			return n
		}
		return x.named(t.Name, nil)
	case *ast.ParenExpr:
		return x.count(t.X, parameters)
	case *ast.ArrayType:
		if t.Len != nil {
			return x.count(t.Elt, parameters)
		}
	case *ast.IndexExpr:
		return x.instance(t.X, []ast.Expr{t.Index}, parameters)
	case *ast.IndexListExpr:
		return x.instance(t.X, t.Indices, parameters)
	case *ast.StructType:
		n := 1
		for _, f := range t.Fields.List {
			n = min(n+max(len(f.Names), 1)*x.count(f.Type, parameters), maxExtent+1)
		}
		return n
	}
	return 1
}

// instance counts the values in an instance of a generic type.
func (x *extents) instance(generic ast.Expr, arguments []ast.Expr, parameters map[string]int) int {
	name, ok := generic.(*ast.Ident)
	if !ok {
		return 1
	}
	var counts []int
	for _, a := range arguments {
		counts = append(counts, x.count(a, parameters))
	}
	return x.named(name.Name, counts)
}
