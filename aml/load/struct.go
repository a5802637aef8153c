package load

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
)

// Markers is the import path of the types that mark a struct. A package that does not import it has no model.
const Markers = "github.com/cassaml/cassaml/aml"

// marked returns a struct that has a marker as a field; nil for any other type.
func (l *loader) marked(t *types.TypeName) *model.Struct {
	s, ok := t.Type().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if n, named := t.Type().(*types.Named); named && hasMarker(s) {
		return l.readStruct(n, s)
	}
	return nil
}

func hasMarker(s *types.Struct) bool {
	for f := range s.Fields() {
		if fieldMarker(f) != model.Plain {
			return true
		}
	}
	return false
}

// inherited returns a struct that has no marker itself, but embeds a struct with one, and was probably meant to be marked: one with aml
// tags or, in a package with a model, without any tag. It returns nil for any other type: a struct that has only tags of other packages, or
// that has aml:"-" on the embedded struct, is no part of the model.
func (l *loader) inherited(t *types.TypeName, inModel bool) *model.Struct {
	s, ok := t.Type().Underlying().(*types.Struct)
	if _, named := t.Type().(*types.Named); !ok || !named || hasMarker(s) {
		return nil
	}
	meant, untagged, direct, through := false, true, false, (*types.Var)(nil)
	for i := range s.NumFields() {
		f := s.Field(i)
		tag := l.tag(f, s.Tag(i))
		meant = meant || tag.Found && strings.TrimSpace(tag.Text) != "-"
		untagged = untagged && s.Tag(i) == ""
		if f.Embedded() && embedsMarked(f.Type(), map[types.Type]bool{}) {
			through, direct = f, direct || embedsMarker(f.Type())
		}
	}
	if through == nil || !meant && !(untagged && direct && inModel) {
		return nil
	}
	kind := model.MarkerOfEmbedded
	if !meant {
		kind = model.MarkerOfUntagged
	}
	return &model.Struct{Name: t.Name(), Path: t.Pkg().Path(), Pkg: t.Pkg().Name(), Pos: l.pos(t.Pos()),
		Misplaced: []model.Misplaced{{Pos: l.pos(through.Pos()), Field: through.Name(), Kind: kind}}}
}

// embedsMarker reports whether a type is a struct with a marker, or a pointer to one.
func embedsMarker(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	return ok && hasMarker(s)
}

// embedsMarked reports whether a type is a struct with a marker, or embeds one.
func embedsMarked(t types.Type, seen map[types.Type]bool) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || seen[t] {
		return false
	}
	seen[t] = true
	if embedsMarker(t) {
		return true
	}
	for f := range s.Fields() {
		if f.Embedded() && embedsMarked(f.Type(), seen) {
			return true
		}
	}
	return false
}

// fieldMarker returns the marker that is the type of a field. A named field, or a pointer to a marker, was meant as a marker and is
// refused.
func fieldMarker(f *types.Var) model.Marker {
	t := types.Unalias(f.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != Markers {
		return model.Plain
	}
	switch n.Obj().Name() {
	case "Aggregate":
		return model.AggregateMarker
	case "Entity":
		return model.EntityMarker
	case "ValueObject":
		return model.ValueObjectMarker
	}
	return model.Plain
}

// readStruct reads a struct once, so that recursive structs share the same value. Each instance of a generic struct is a separate
// struct.
func (l *loader) readStruct(n *types.Named, s *types.Struct) *model.Struct {
	key := types.TypeString(n, nil)
	if done := l.structs[key]; done != nil {
		return done
	}
	t := n.Obj()
	out := &model.Struct{Name: l.spellShort(n), Path: t.Pkg().Path(), Pkg: t.Pkg().Name(), Pos: l.pos(t.Pos()), Doc: l.docs[t.Pos()], Spelled: spelling(n),
		Generic: n.TypeParams().Len() > n.TypeArgs().Len()}
	l.structs[key] = out
	outer := l.open
	l.open = map[*types.Named]bool{}
	defer func() { l.open = outer }()
	for i := range s.NumFields() {
		f := s.Field(i)
		out.Whole = append(out.Whole, model.DeclaredField{Name: f.Name(), Path: f.Pkg().Path(), Type: spelling(f.Type()), Tag: s.Tag(i), Embedded: f.Embedded(),
			Exported: f.Exported()})
		if m := fieldMarker(f); m != model.Plain && out.Marker != model.Plain {
			out.Again = append(out.Again, l.pos(f.Pos()))
			continue
		} else if m != model.Plain {
			out.Marker, out.Tag = m, l.tag(f, s.Tag(i))
			if _, pointer := types.Unalias(f.Type()).(*types.Pointer); pointer && f.Embedded() {
				out.Misplaced = append(out.Misplaced, model.Misplaced{Pos: l.pos(f.Pos()), Field: f.Name(), Kind: model.MarkerPointer})
			} else if !f.Embedded() {
				out.Misplaced = append(out.Misplaced, model.Misplaced{Pos: l.pos(f.Pos()), Field: f.Name(), Kind: model.MarkerField})
			}
			continue
		}
		field := &model.Field{Name: f.Name(), Pos: l.pos(f.Pos()), Doc: l.fieldDoc(f), Tag: l.tag(f, s.Tag(i)), Embedded: f.Embedded(), Exported: f.Exported(), Bound: bound(n, i)}
		if out.Fields = append(out.Fields, field); strings.TrimSpace(field.Tag.Text) == "-" {
			field.Type = &model.GoType{Text: l.spell(f.Type())} // whatever it is
			continue
		}
		if field.Type = l.cgo(f); field.Type == nil {
			field.Type = l.readType(f.Type())
		}
		l.needed(f)
	}
	if out.Marker == model.AggregateMarker || out.Marker == model.EntityMarker {
		out.Methods = l.methods(n)
	}
	return out
}

// cgo returns the type of a field that contains a C type, which the type checker does not resolve; nil for any other field.
func (l *loader) cgo(f *types.Var) *model.GoType {
	field := l.fields[f.Pos()]
	if field == nil {
		return nil
	}
	var out *model.GoType
	ast.Inspect(field.Type, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && out == nil && ofC(e) {
			out = &model.GoType{Kind: model.CType, Text: types.ExprString(e)}
		}
		return out == nil
	})
	return out
}

// ofC reports whether an expression is a C type or a C string.
func ofC(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return types.ExprString(e) == "*C.char"
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "C"
}

// bound reports whether the type of a field of an instance depends on a type argument.
func bound(n *types.Named, field int) bool {
	generic, ok := n.Origin().Underlying().(*types.Struct)
	if !ok || n.TypeArgs().Len() == 0 {
		return false
	}
	instance := n.Underlying().(*types.Struct)
	return !types.Identical(generic.Field(field).Type(), instance.Field(field).Type())
}

// methods reads the methods that paths can contain.
func (l *loader) methods(n *types.Named) []*model.Method {
	var out []*model.Method
	set := types.NewMethodSet(types.NewPointer(n))
	for method := range set.Methods() {
		f := method.Obj()
		s := f.Type().(*types.Signature)
		m := &model.Method{Name: f.Name(), Pos: l.pos(f.Pos()), Params: s.Params().Len(), Results: make([]*model.GoType, s.Results().Len())}
		if m.Params == 0 && len(m.Results) == 1 {
			m.Results[0] = l.readType(s.Results().At(0).Type())
		}
		out = append(out, m)
	}
	return out
}

// readType reads the properties of a type that the language uses.
func (l *loader) readType(t types.Type) *model.GoType {
	t = types.Unalias(t)
	if l.depth > maxDepth || l.size(t) > maxSize {
		return &model.GoType{Kind: model.TooDeep, Text: shortText(t)}
	}
	l.depth++
	defer func() { l.depth-- }()
	g := &model.GoType{Text: l.spell(t)}
	if n, ok := t.(*types.Named); ok {
		if l.open[n] { // type Tree []Tree is infinite
			return g
		}
		l.open[n] = true
		defer delete(l.open, n)
		g.Named, g.Over = l.readName(n), l.bases(n)
		if l.known(g, n) || l.overLibrary(n) && !isUUID(n) {
			return g
		}
		g.CQLMarshaler, g.TextMarshaler, g.Valuer = has(n, "MarshalCQL", "UnmarshalCQL"), has(n, "MarshalText", "UnmarshalText"), has(n, "Value", "Scan")
		g.CQLInfo = [2]string{infoPath(n, "MarshalCQL"), infoPath(n, "UnmarshalCQL")}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		g.Kind = basics[u.Kind()]
		g.Constants = l.typeConstants(t)
	case *types.Pointer:
		l.pointer(g, u)
	case *types.Slice:
		l.slice(g, u)
	case *types.Array:
		if g.Kind = model.UUID; !isUUID(u) {
			g.Kind, g.Elem, g.Len = model.Array, l.readType(u.Elem()), int(u.Len())
		}
	case *types.Map:
		g.Kind, g.Key, g.Elem = model.Map, l.readType(u.Key()), l.readType(u.Elem())
	case *types.Interface:
		g.Kind = model.Interface
	case *types.Chan, *types.Signature:
		g.Kind = model.NoData
	case *types.Struct:
		if n, ok := t.(*types.Named); ok {
			g.Kind, g.Struct = model.StructKind, l.readStruct(n, u)
		} else if u.NumFields() == 0 {
			g.Kind = model.EmptyStruct
		}
	}
	return g
}

// maxDepth is how deep types are read, and maxSize how many types the name of an instance of a generic type can have in it. Both are
// far beyond the limits of a model; a type that grows with each instance is infinite.
const (
	maxDepth = 200
	maxSize  = 1000
)

// size counts the types in the name of a type, with repetitions, up to a little more than maxSize.
func (l *loader) size(t types.Type) int {
	t = types.Unalias(t)
	if n, done := l.sizes[t]; done {
		return n
	}
	n := 1
	add := func(t types.Type) { n = min(n+l.size(t), maxSize+1) }
	switch u := t.(type) {
	case *types.Named:
		for a := range u.TypeArgs().Types() {
			add(a)
		}
	case *types.Map:
		add(u.Key())
		add(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			add(f.Type())
		}
	case interface{ Elem() types.Type }:
		add(u.Elem())
	}
	l.sizes[t] = n
	return n
}

// shortText returns the text of a type without its type arguments.
func shortText(t types.Type) string {
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return "the type"
}

// known recognises the library types with a separate CQL type.
func (l *loader) known(g *model.GoType, n *types.Named) bool {
	if g.Named.Path == "database/sql" && g.Named.Name == "Null" {
		g.Kind, g.Elem = model.SQLNull, l.readType(n.TypeArgs().At(0))
		return true
	}
	g.Kind = library[g.Named.Path+"."+g.Named.Name]
	return g.Kind != model.Unsupported
}

// overLibrary reports whether a type of this package is defined on top of a library type with a separate CQL type. Package go/types
// does not distinguish that from a type on top of the same basic type, which is stored as another CQL type.
func (l *loader) overLibrary(n *types.Named) bool {
	o := l.definedOver(n)
	return o != nil && (library[o.Obj().Pkg().Path()+"."+o.Obj().Name()] != model.Unsupported || l.overLibrary(o))
}

// bases returns the import paths of the types over which a type of this package is defined, the nearest first.
func (l *loader) bases(n *types.Named) (paths []string) {
	for n = l.definedOver(n); n != nil; n = l.definedOver(n) {
		paths = append(paths, n.Obj().Pkg().Path())
	}
	return paths
}

// definedOver returns the named type over which a type of this package is defined; nil if there is none.
func (l *loader) definedOver(n *types.Named) *types.Named {
	t, ok := l.uses[l.defined[n.Obj().Pos()]].(*types.TypeName)
	if !ok {
		return nil
	}
	o, ok := types.Unalias(t.Type()).(*types.Named)
	if !ok || o == n || o.Obj().Pkg() == nil {
		return nil
	}
	return o
}

// isUUID reports whether the underlying type is [16]byte, as in all packages for UUIDs.
func isUUID(t types.Type) bool {
	return types.Identical(t.Underlying(), types.NewArray(types.Typ[types.Byte], 16))
}

// has reports whether a type or a pointer to it has both methods.
func has(n *types.Named, names ...string) bool {
	set := types.NewMethodSet(types.NewPointer(n))
	for _, name := range names {
		if set.Lookup(n.Obj().Pkg(), name) == nil {
			return false
		}
	}
	return true
}

// infoPath returns the import path of the first parameter of a method; "" without one.
func infoPath(n *types.Named, method string) string {
	m := types.NewMethodSet(types.NewPointer(n)).Lookup(n.Obj().Pkg(), method)
	if m == nil {
		return ""
	}
	params := m.Obj().(*types.Func).Signature().Params()
	if params.Len() == 0 {
		return ""
	}
	if info, ok := types.Unalias(params.At(0).Type()).(*types.Named); ok && info.Obj().Pkg() != nil {
		return info.Obj().Pkg().Path()
	}
	return ""
}

func (l *loader) pointer(g *model.GoType, p *types.Pointer) {
	if n, ok := types.Unalias(p.Elem()).(*types.Named); ok && g.Named == nil {
		name := l.readName(n)
		if g.Kind = libraryPointers[name.Path+"."+name.Name]; g.Kind != model.Unsupported {
			return
		}
	}
	g.Kind, g.Elem = model.Pointer, l.readType(p.Elem())
}

func (l *loader) slice(g *model.GoType, s *types.Slice) {
	if b, ok := types.Unalias(s.Elem()).(*types.Basic); ok && b.Kind() == types.Byte {
		g.Kind = model.Bytes
		return
	}
	g.Kind, g.Elem = model.Slice, l.readType(s.Elem())
}

func (l *loader) readName(n *types.Named) *model.GoName {
	o := n.Obj()
	if o.Pkg() == nil {
		return &model.GoName{Name: o.Name()}
	}
	name := &model.GoName{Path: o.Pkg().Path(), Pkg: o.Pkg().Name(), Name: o.Name()}
	for t := range n.TypeArgs().Types() {
		name.Args = append(name.Args, l.readType(t))
	}
	return name
}

// library are the named types with a separate CQL type, libraryPointers those that are used as pointers.
var library, libraryPointers = libraryTypes()

func libraryTypes() (named, pointers map[string]model.GoKind) {
	named, pointers = map[string]model.GoKind{}, map[string]model.GoKind{}
	for _, n := range cqltype.Natives() {
		for _, g := range n.Go {
			in := named
			if strings.HasPrefix(g.Text, "*") {
				in = pointers
			}
			if g.Import != "" {
				in[g.Import+g.Text[strings.Index(g.Text, "."):]] = model.ParseGoKind(g.Text)
				if g.Import == cqltype.Gocql { // Apache's driver has the same types
					in[cqltype.ApacheDriver+g.Text[strings.Index(g.Text, "."):]] = model.ParseGoKind(g.Text)
				}
			}
		}
	}
	return named, pointers
}

var basics = map[types.BasicKind]model.GoKind{
	types.Bool: model.Bool, types.Int: model.Int, types.Int8: model.Int8, types.Int16: model.Int16, types.Int32: model.Int32,
	types.Int64: model.Int64, types.Float32: model.Float32, types.Float64: model.Float64, types.String: model.String,
	types.Uint: model.Uint64, types.Uint8: model.Uint8, types.Uint16: model.Uint16, types.Uint32: model.Uint32, types.Uint64: model.Uint64,
	types.Uintptr: model.NoData, types.UnsafePointer: model.NoData, types.Complex64: model.Complex, types.Complex128: model.Complex,
	types.Invalid: model.CType, // all other invalid types are reported by the type checker
}

// spelling returns a function, because the names of packages are known only when a file is generated.
func spelling(t types.Type) model.Spelling {
	return func(qualify func(path, name string) string) string {
		return types.TypeString(t, func(p *types.Package) string { return qualify(p.Path(), p.Name()) })
	}
}

// spell returns the text of a type as the package's source writes it.
func (l *loader) spell(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == l.path {
			return ""
		}
		return p.Name()
	})
}

// spellShort returns a struct's name without its package; its type arguments have theirs.
func (l *loader) spellShort(n *types.Named) string {
	if n.TypeArgs().Len() == 0 {
		return n.Obj().Name()
	}
	text := l.spell(n)
	if i := strings.Index(text, "."); i >= 0 && (!strings.Contains(text, "[") || i < strings.Index(text, "[")) {
		return text[i+1:]
	}
	return text
}
