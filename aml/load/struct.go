package load

import (
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// markers is the import path of the types that mark a struct.
const markers = "github.com/cassaml/cassaml/aml"

// marked gives a struct that embeds a marker; nil for any other type.
func (l *loader) marked(t *types.TypeName) *model.Struct {
	s, ok := t.Type().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range s.NumFields() {
		if markerOf(s.Field(i)) != model.Plain {
			return l.structOf(t, s)
		}
	}
	return nil
}

func markerOf(f *types.Var) model.Marker {
	n, ok := types.Unalias(f.Type()).(*types.Named)
	if !ok || !f.Embedded() || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != markers {
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

// structOf reads a struct once; structs that contain one another meet again in the same value.
func (l *loader) structOf(t *types.TypeName, s *types.Struct) *model.Struct {
	if done := l.structs[t]; done != nil {
		return done
	}
	out := &model.Struct{Name: t.Name(), Path: t.Pkg().Path(), Pkg: t.Pkg().Name(), Pos: l.pos(t.Pos())}
	if n, ok := t.Type().(*types.Named); ok {
		out.Generic = n.TypeParams().Len() > 0
	}
	l.structs[t] = out
	outer := l.open
	l.open = map[*types.Named]bool{}
	defer func() { l.open = outer }()
	for i := range s.NumFields() {
		f := s.Field(i)
		if m := markerOf(f); m != model.Plain && out.Marker != model.Plain {
			out.Again = append(out.Again, l.pos(f.Pos()))
			continue
		} else if m != model.Plain {
			out.Marker, out.Tag = m, l.tag(f, s.Tag(i))
			continue
		}
		out.Fields = append(out.Fields, &model.Field{
			Name: f.Name(), Pos: l.pos(f.Pos()), Type: l.typeOf(f.Type()), Tag: l.tag(f, s.Tag(i)),
			Embedded: f.Embedded(), Exported: f.Exported(),
		})
		l.needed(f)
	}
	return out
}

// typeOf reads a type as far as the language looks at it.
func (l *loader) typeOf(t types.Type) *model.GoType {
	t = types.Unalias(t)
	g := &model.GoType{Text: l.spell(t)}
	if n, ok := t.(*types.Named); ok {
		if l.open[n] { // type Tree []Tree: no end of it can be stored
			return g
		}
		l.open[n] = true
		defer delete(l.open, n)
		g.Named = nameOf(n)
		if g.Kind = library[g.Named.Path+"."+g.Named.Name]; g.Kind != model.Unsupported || n.TypeArgs().Len() > 0 {
			return g
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		g.Kind = basics[u.Kind()]
	case *types.Pointer:
		l.pointer(g, u)
	case *types.Slice:
		l.slice(g, u)
	case *types.Map:
		g.Kind, g.Key, g.Elem = model.Map, l.typeOf(u.Key()), l.typeOf(u.Elem())
	case *types.Struct:
		if n, ok := t.(*types.Named); ok {
			g.Kind, g.Struct = model.StructKind, l.structOf(n.Obj(), u)
		} else if u.NumFields() == 0 {
			g.Kind = model.EmptyStruct
		}
	}
	return g
}

func (l *loader) pointer(g *model.GoType, p *types.Pointer) {
	if n, ok := types.Unalias(p.Elem()).(*types.Named); ok && g.Named == nil {
		name := nameOf(n)
		if g.Kind = libraryPointers[name.Path+"."+name.Name]; g.Kind != model.Unsupported {
			return
		}
	}
	g.Kind, g.Elem = model.Pointer, l.typeOf(p.Elem())
}

func (l *loader) slice(g *model.GoType, s *types.Slice) {
	if b, ok := types.Unalias(s.Elem()).(*types.Basic); ok && b.Kind() == types.Byte {
		g.Kind = model.Bytes
		return
	}
	g.Kind, g.Elem = model.Slice, l.typeOf(s.Elem())
}

func nameOf(n *types.Named) *model.GoName {
	o := n.Obj()
	if o.Pkg() == nil {
		return &model.GoName{Name: o.Name()}
	}
	return &model.GoName{Path: o.Pkg().Path(), Pkg: o.Pkg().Name(), Name: o.Name()}
}

// library are the named types that have a CQL type of their own.
var library = map[string]model.GoKind{
	"time.Time": model.Time, "time.Duration": model.GoDuration, "net.IP": model.IP, "net/netip.Addr": model.Addr,
	"github.com/gocql/gocql.UUID": model.UUID, "github.com/gocql/gocql.Duration": model.CQLDuration,
}

// libraryPointers are those that are used as pointers.
var libraryPointers = map[string]model.GoKind{"math/big.Int": model.BigInt, "gopkg.in/inf.v0.Dec": model.InfDec}

var basics = map[types.BasicKind]model.GoKind{
	types.Bool: model.Bool, types.Int: model.Int, types.Int8: model.Int8, types.Int16: model.Int16, types.Int32: model.Int32,
	types.Int64: model.Int64, types.Float32: model.Float32, types.Float64: model.Float64, types.String: model.String,
}

// spell writes a type as the package's source does.
func (l *loader) spell(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == l.path {
			return ""
		}
		return p.Name()
	})
}

// pos gives a place with the file's name as seen from the working directory.
func (l *loader) pos(p token.Pos) model.Pos { return place(l.fset.Position(p)) }

func place(at token.Position) model.Pos {
	name := at.Filename
	if wd, err := os.Getwd(); err == nil {
		if r, err := filepath.Rel(wd, name); err == nil && !strings.HasPrefix(r, "..") {
			name = r
		}
	}
	return model.Pos{File: name, Line: at.Line, Col: at.Column}
}
