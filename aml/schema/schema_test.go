package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/internal/source"
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/aml/schema"
)

// Each archive is a model with its schema and, for redundant aggregates, the programs that compute their rows. Some archives also
// have the statements. A schema can be executed statement by statement.
func TestSchemas(t *testing.T) {
	for c, p := range source.Packages(t, "testdata/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			m, faults := model.Build(p)
			require.False(t, model.Refused(faults), faults)
			s := schema.New(m)
			requireInOrder(t, s)
			c.Want(t, "schema.cql", s.CQL())
			if text := projections(t, s); c.Has("projections") || text != "" {
				c.Want(t, "projections", text)
			}
			if c.Has("statements") {
				c.Want(t, "statements", statements(s))
			}
		})
	}
}

// A text that can be empty does not show to which source a row belongs, although it is unique: an empty one is not claimed.
func TestKeyUnique(t *testing.T) {
	const text = "package shop\n\nimport \"github.com/cassaml/cassaml/aml\"\n" + `
type Item struct {
	aml.Aggregate "aml:\"items\""

	ID      int32  "aml:\"id,identifier\""
	Region  string "aml:\"region,required\""
	Code    string "aml:\"code,unique\""
	Serial  int64  "aml:\"serial,unique\""
	Version int64  "aml:\"version,version\""
}

type ItemInRegion struct {
	aml.Aggregate "aml:\"items_by_region,redundant=Item\""

	Region string "aml:\"region,identifier\""
	Code   string "aml:\"code,discriminator\""
	Serial int64  "aml:\"serial,discriminator\""
}

type ItemByCode struct {
	aml.Aggregate "aml:\"items_by_code,redundant=Item\""

	Code string "aml:\"code,identifier\""
}
`
	imports := source.NewImporter()
	p, err := load.Source(imports.Fset, "example.com/shop", map[string][]byte{"model.go": []byte(text)}, imports)
	require.NoError(t, err)
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), faults)
	got := map[string]string{}
	for _, root := range schema.New(m).Stored {
		for _, p := range root.Projections {
			number, columns := p.KeyUnique()
			got[p.Table.Name] = fmt.Sprint(root.Versioning.Uniques[number].Model.Paths[0], columns)
		}
	}
	require.Equal(t, map[string]string{"items_by_region": "Item.Serial [2]", "items_by_code": "Item.Code [0]"}, got)
}

func statements(s *schema.Schema) string {
	var out []string
	for _, t := range s.Tables {
		out = append(out, t.Insert(), t.Delete(), t.Select(), t.Get(), t.Load())
		for _, c := range t.Ordered() {
			if u := t.Update(c, s); u != "" {
				out = append(out, u)
			}
		}
		if r := t.Reversed(); r != "" {
			out = append(out, "…"+r)
		}
	}
	return strings.Join(out, "\n")
}

// projections returns the programs of a schema: the steps, and for each column its register with the content.
func projections(t *testing.T, s *schema.Schema) string {
	var b strings.Builder
	for _, source := range s.Stored {
		for _, p := range source.Projections {
			require.Same(t, source, p.Source)
			fmt.Fprintf(&b, "%s from %s:\n", p.Table.Name, source.Name)
			values := registers(t, p)
			for _, o := range p.Ops {
				fmt.Fprintf(&b, "    %s\n", step(o))
			}
			for i, c := range p.Table.Ordered() {
				fmt.Fprintf(&b, "    %s = r%d: %s\n", c.Name, p.Columns[i], value(t, values, int(p.Columns[i])))
			}
			fmt.Fprintf(&b, "    source key: %s\n", sourceKey(p))
		}
	}
	return b.String()
}

// sourceKey returns where the rows of a copy contain the key of their source.
func sourceKey(p *schema.Projection) string {
	var places []string
	for _, k := range p.SourceKey() {
		name := p.Table.Ordered()[k.Column].Name
		if k.Field >= 0 {
			name += fmt.Sprintf(".%d", k.Field)
		}
		places = append(places, name)
	}
	switch {
	case places == nil:
		return "none"
	case p.StartsWithSourceKey():
		return strings.Join(places, ", ") + "; the key starts with it"
	case p.FollowsFromKey():
		return strings.Join(places, ", ") + "; the row follows from it"
	case p.KeyHasSourceKey():
		return strings.Join(places, ", ") + "; in the key"
	}
	return strings.Join(places, ", ")
}

func step(o schema.Op) string {
	switch o.Code {
	case projection.Split:
		return fmt.Sprintf("r%d… = split r%d into %d", o.Dst, o.Src, o.N)
	case projection.Make:
		return fmt.Sprintf("r%d = make %v", o.Dst, o.Args)
	case projection.MakeIf:
		return fmt.Sprintf("r%d = if r%d make %v", o.Dst, o.Src, o.Args)
	case projection.Each:
		if o.N == 2 {
			return fmt.Sprintf("r%d, r%d = each r%d with its place", o.Dst, o.Dst+1, o.Src)
		}
		return fmt.Sprintf("r%d = each r%d", o.Dst, o.Src)
	case projection.Need:
		return fmt.Sprintf("need r%d", o.Src)
	case projection.NeedTrue:
		return fmt.Sprintf("need r%d to be true", o.Src)
	case projection.NeedOneOf:
		return fmt.Sprintf("need r%d to be one of %q", o.Src, o.Values)
	}
	return fmt.Sprintf("r%d, r%d = entry r%d", o.Dst, o.Dst+1, o.Src)
}

// registers runs a program on names instead of values. A step fails if it reads a register that no earlier step has filled.
func registers(t *testing.T, p *schema.Projection) map[int]string {
	values := map[int]string{}
	for i, c := range p.Source.Ordered() {
		values[i] = c.Name
	}
	for i, m := range p.Source.Computed {
		fill(t, values, len(p.Source.Columns)+i, m.GoName())
	}
	for _, o := range p.Ops {
		var args []string
		for _, a := range o.Args {
			args = append(args, value(t, values, int(a)))
		}
		made := "{" + strings.Join(args, ", ") + "}"
		switch o.Code {
		case projection.Split:
			for i := range o.N {
				fill(t, values, int(o.Dst+i), fmt.Sprintf("%s.%d", value(t, values, int(o.Src)), i))
			}
		case projection.Make:
			fill(t, values, int(o.Dst), made)
		case projection.MakeIf:
			fill(t, values, int(o.Dst), value(t, values, int(o.Src))+" ? "+made)
		case projection.Each:
			fill(t, values, int(o.Dst), value(t, values, int(o.Src))+"[]")
			if o.N == 2 {
				fill(t, values, int(o.Dst+1), value(t, values, int(o.Src))+"[place]")
			}
		case projection.Entry:
			fill(t, values, int(o.Dst), value(t, values, int(o.Src))+"[key]")
			fill(t, values, int(o.Dst+1), value(t, values, int(o.Src))+"[value]")
		}
	}
	return values
}

func fill(t *testing.T, values map[int]string, register int, v string) {
	require.NotContains(t, values, register, "register filled twice")
	values[register] = v
}

func value(t *testing.T, values map[int]string, register int) string {
	require.Contains(t, values, register, "register read before it is filled")
	return values[register]
}

// requireInOrder requires that a type follows the types that it uses, and that tables follow the types.
func requireInOrder(t *testing.T, s *schema.Schema) {
	known := map[string]bool{}
	for _, u := range s.Types {
		for _, f := range u.Fields {
			requireKnown(t, known, f.Type)
		}
		known[u.Name] = true
	}
	all := s.Statements()
	want := len(s.Types) + len(s.Tables)
	for _, x := range s.Tables {
		want += len(x.Indexes)
	}
	require.Len(t, all, want)
	require.False(t, slices.ContainsFunc(all[:len(s.Types)], func(q string) bool { return !strings.HasPrefix(q, "CREATE TYPE ") }), "types come first")
	require.False(t, slices.ContainsFunc(all[len(s.Types):], func(q string) bool { return strings.HasPrefix(q, "CREATE TYPE ") }), "types come first")
}

func requireKnown(t *testing.T, known map[string]bool, x *schema.Type) {
	if x.UDT {
		require.True(t, known[x.Name], "type %s is used before it is created", x.Name)
	}
	for _, a := range x.Args {
		requireKnown(t, known, a)
	}
}
