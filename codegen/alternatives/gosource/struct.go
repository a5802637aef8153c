package gosource

import (
	"go/ast"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// amlPath is the package of the markers.
const amlPath = `"github.com/cassaml/cassaml/aml"`

// declaration is the declaration of a struct in a file.
type declaration struct {
	*file
	name string // the name of the file
	gen  *ast.GenDecl
	spec *ast.TypeSpec
	body *ast.StructType
}

// find returns the declaration of a struct, or nil and sets the error of the package.
func (p *Package) find(of string) *declaration {
	if p.err != nil {
		return nil
	}
	for _, name := range p.Files() {
		f := p.parse(name)
		if f == nil {
			return nil
		}
		if d := f.find(of); d != nil {
			d.name = name
			return d
		}
	}
	p.fail("the package has no struct %s", of)
	return nil
}

func (f *file) find(of string) *declaration {
	for _, d := range f.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range gen.Specs {
			spec, ok := s.(*ast.TypeSpec)
			if !ok || spec.Name.Name != of {
				continue
			}
			if body, ok := spec.Type.(*ast.StructType); ok {
				return &declaration{file: f, gen: gen, spec: spec, body: body}
			}
		}
	}
	return nil
}

// field returns the declaration of a field, which can declare others, too, or of an embedded struct; nil for none.
func (d *declaration) field(name string) *ast.Field {
	for _, f := range d.body.Fields.List {
		if index(f, name) >= 0 || len(f.Names) == 0 && embedded(f.Type) == name {
			return f
		}
	}
	return nil
}

// embedded returns the name of the field of an embedded type.
func embedded(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return embedded(t.X)
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.IndexExpr:
		return embedded(t.X)
	case *ast.IndexListExpr:
		return embedded(t.X)
	}
	return ""
}

// index returns the position of a name among those that a field declares; -1 if it does not declare it.
func index(f *ast.Field, name string) int {
	return slices.IndexFunc(f.Names, func(n *ast.Ident) bool { return n.Name == name })
}

// findField finds a field of a struct.
func (p *Package) findField(of, name string) (*declaration, *ast.Field) {
	d := p.find(of)
	if d == nil {
		return nil, nil
	}
	f := d.field(name)
	if f == nil {
		p.fail("struct %s has no field %s", of, name)
	}
	return d, f
}

// findSingle finds a field of a struct. Names that are declared together get declarations of their own first.
func (p *Package) findSingle(of, name string) (*declaration, *ast.Field) {
	d, f := p.findField(of, name)
	if f == nil || len(f.Names) < 2 {
		return d, f
	}
	from, to := d.offset(f.Pos()), d.offset(f.End())
	var all []string
	for _, n := range f.Names {
		all = append(all, n.Name+" "+p.texts[d.name][d.offset(f.Type.Pos()):to])
	}
	p.splice(d.name, from, to, strings.Join(all, "\n\t"))
	return p.findField(of, name)
}

// SetMarker replaces the marker of a struct, Aggregate, Entity or ValueObject of package aml, and its tag. An empty marker removes it.
func (p *Package) SetMarker(of, marker, tag string) {
	d := p.find(of)
	if d == nil {
		return
	}
	aml := d.amlName()
	text := ""
	if marker != "" {
		text = "\t" + aml + "." + marker
		if tag != "" {
			text += " " + literal(`aml:`+strconv.Quote(tag))
		}
		text += "\n"
	}
	for _, f := range d.body.Fields.List {
		if s, ok := f.Type.(*ast.SelectorExpr); ok && len(f.Names) == 0 && isMarker(s, aml) {
			from, to := lines(p.texts[d.name], d.offset(f.Pos()), d.offset(f.End()))
			p.splice(d.name, from, to, text)
			return
		}
	}
	if text != "" {
		at := d.offset(d.body.Fields.Opening) + 1
		p.splice(d.name, at, at, "\n"+text)
	}
}

// amlName returns the name by which the file knows package aml.
func (d *declaration) amlName() string {
	for _, i := range d.Imports {
		if i.Path.Value == amlPath && i.Name != nil {
			return i.Name.Name
		}
	}
	return "aml"
}

func isMarker(s *ast.SelectorExpr, aml string) bool {
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == aml && slices.Contains([]string{"Aggregate", "Entity", "ValueObject"}, s.Sel.Name)
}

// literal returns a Go string literal of a struct tag.
func literal(tag string) string {
	if strings.Contains(tag, "`") {
		return strconv.Quote(tag)
	}
	return "`" + tag + "`"
}

// RemoveField removes a field with its comments. Of several names that are declared together it removes only this one.
func (p *Package) RemoveField(of, name string) {
	d, f := p.findField(of, name)
	if f == nil {
		return
	}
	if i := index(f, name); i > 0 {
		p.splice(d.name, d.offset(f.Names[i-1].End()), d.offset(f.Names[i].End()), "")
		return
	} else if len(f.Names) > 1 {
		p.splice(d.name, d.offset(f.Names[0].Pos()), d.offset(f.Names[1].Pos()), "")
		return
	}
	begin := f.Pos()
	if f.Doc != nil {
		begin = f.Doc.Pos()
	}
	from, to := lines(p.texts[d.name], d.offset(begin), d.offset(f.End()))
	p.splice(d.name, from, to, "")
}

// AddField adds a field, with its tag, at the end of a struct.
func (p *Package) AddField(of, text string) {
	if d := p.free(of, text); d != nil {
		at := d.offset(d.body.Fields.Closing)
		p.splice(d.name, at, at, "\n\t"+text+"\n")
	}
}

// free finds a struct that has no field with the name of a new one.
func (p *Package) free(of, text string) *declaration {
	d := p.find(of)
	if name, _, _ := strings.Cut(text, " "); d != nil && d.field(name) != nil {
		p.fail("%s has a field %s, which the edit adds: rename it", of, name)
		return nil
	}
	return d
}

// AddKey adds a field, with its tag, before the other fields of a struct, after the marker.
func (p *Package) AddKey(of, text string) {
	d := p.free(of, text)
	if d == nil {
		return
	}
	at := d.offset(d.body.Fields.Opening) + 1
	for _, f := range d.body.Fields.List {
		if s, ok := f.Type.(*ast.SelectorExpr); ok && len(f.Names) == 0 && isMarker(s, d.amlName()) {
			at = d.offset(f.End())
		}
	}
	p.splice(d.name, at, at, "\n\n\t"+text)
}

var amlKey = regexp.MustCompile(`aml:"(?:[^"\\]|\\.)*"`)

// SetTag replaces the aml tag of a field, and keeps its other tags. An empty tag removes it.
func (p *Package) SetTag(of, name, tag string) {
	d, f := p.findSingle(of, name)
	if f == nil {
		return
	}
	var key string
	if tag != "" {
		key = "aml:" + strconv.Quote(tag)
	}
	if f.Tag == nil {
		if at := d.offset(f.Type.End()); key != "" {
			p.splice(d.name, at, at, " "+literal(key))
		}
		return
	}
	old, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		p.fail("the tag of %s.%s: %w", of, name, err)
		return
	}
	text := key + " " + strings.TrimSpace(amlKey.ReplaceAllLiteralString(old, ""))
	if text = strings.TrimSpace(text); text != "" {
		text = literal(text)
	}
	p.splice(d.name, d.offset(f.Tag.Pos()), d.offset(f.Tag.End()), text)
}

// Remove removes a struct with its comment.
func (p *Package) Remove(of string) {
	d := p.find(of)
	if d == nil {
		return
	}
	begin, end, doc := d.gen.Pos(), d.gen.End(), d.gen.Doc
	if len(d.gen.Specs) > 1 {
		begin, end, doc = d.spec.Pos(), d.spec.End(), d.spec.Doc
	}
	if doc != nil {
		begin = doc.Pos()
	}
	from, to := lines(p.texts[d.name], d.offset(begin), d.offset(end))
	p.splice(d.name, from, to, "")
	p.removeMethods(of)
}

// removeMethods removes the methods of a struct that was removed.
func (p *Package) removeMethods(of string) {
	for _, name := range p.Files() {
		f := p.parse(name)
		if f == nil {
			return
		}
		for _, d := range slices.Backward(f.Decls) {
			if fn, ok := d.(*ast.FuncDecl); ok && receiver(fn) == of {
				begin := fn.Pos()
				if fn.Doc != nil {
					begin = fn.Doc.Pos()
				}
				from, to := lines(p.texts[name], f.offset(begin), f.offset(fn.End()))
				p.splice(name, from, to, "")
			}
		}
	}
}

// receiver returns the name of the type of which a function is a method; "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := f.Recv.List[0].Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	if i, ok := t.(*ast.Ident); ok {
		return i.Name
	}
	return ""
}

var declaredType = regexp.MustCompile(`(?m)^type (\pL[\pL\p{Nd}_]*)`)

// Add adds declarations of types at the end of the file with a struct.
func (p *Package) Add(beside, declarations string) {
	d := p.find(beside)
	for _, m := range declaredType.FindAllStringSubmatch(declarations, -1) {
		if d != nil && p.declares(m[1]) {
			p.fail("the package declares %s, which the edit adds: rename it", m[1])
			return
		}
	}
	if d != nil {
		p.texts[d.name] = strings.TrimRight(p.texts[d.name], "\n") + "\n\n" + declarations
	}
}

// declares reports whether a file declares a name. Names of methods do not count.
func (p *Package) declares(name string) (found bool) {
	for _, file := range p.Files() {
		f := p.parse(file)
		if f == nil {
			return false
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				found = found || d.Recv == nil && d.Name.Name == name
			case *ast.GenDecl:
				found = found || slices.ContainsFunc(d.Specs, func(s ast.Spec) bool { return specifies(s, name) })
			}
		}
	}
	return found
}

// specifies reports whether a specification declares a type, a variable or a constant with a name.
func specifies(s ast.Spec, name string) bool {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Name.Name == name
	case *ast.ValueSpec:
		return slices.ContainsFunc(s.Names, func(n *ast.Ident) bool { return n.Name == name })
	}
	return false
}
