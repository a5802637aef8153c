package model_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/aml/model"
)

// exact is a tag with an unquoted text at m.go:7:40.
func exact(text string) model.Literal {
	return model.Literal{Text: text, Pos: model.Pos{File: "m.go", Line: 7, Col: 40}, Exact: true, Found: true}
}

// option is an option n bytes into such a tag.
func option(key, value string, n int) model.Option {
	return model.Option{Key: key, Value: strings.TrimPrefix(value, "="), Valued: strings.HasPrefix(value, "="), Pos: model.Pos{File: "m.go", Line: 7, Col: 40 + n}}
}

func TestParseTag(t *testing.T) {
	for text, want := range map[string]model.Tag{
		"":                        {},
		"-":                       {Name: "-"},
		"name":                    {Name: "name"},
		" name ":                  {Name: "name"},
		"_id":                     {Name: "_id"},
		"Straße":                  {Name: "Straße"},
		"'a, b'":                  {Name: "a, b", Quoted: true},
		"'it''s'":                 {Name: "it's", Quoted: true},
		"it's, 'a':b'":            {Name: "it's, 'a':b'"},
		",required":               {Options: []model.Option{option("required", "", 1)}},
		"name,required":           {Name: "name", Options: []model.Option{option("required", "", 5)}},
		"n,  required , final":    {Name: "n", Options: []model.Option{option("required", "", 4), option("final", "", 15)}},
		"ñ,final":                 {Name: "ñ", Options: []model.Option{option("final", "", 3)}},
		"n,type=ascii,final":      {Name: "n", Options: []model.Option{option("type", "=ascii", 2), option("final", "", 13)}},
		"n,type = ascii":          {Name: "n", Options: []model.Option{option("type", "=ascii", 2)}},
		"n,type=":                 {Name: "n", Options: []model.Option{option("type", "=", 2)}},
		"n,type=map<text, int>":   {Name: "n", Options: []model.Option{option("type", "=map<text, int>", 2)}},
		"n,type=a<b<c,d>,{e,f}>":  {Name: "n", Options: []model.Option{option("type", "=a<b<c,d>,{e,f}>", 2)}},
		"n,with='a, b',rows=1":    {Name: "n", Options: []model.Option{option("with", "=a, b", 2), option("rows", "=1", 14)}},
		"n,with='it''s',rows=1":   {Name: "n", Options: []model.Option{option("with", "=it's", 2), option("rows", "=1", 15)}},
		"n,with='''',rows=1":      {Name: "n", Options: []model.Option{option("with", "='", 2), option("rows", "=1", 12)}},
		"n,with=' a '":            {Name: "n", Options: []model.Option{option("with", "= a ", 2)}},
		"n,with='a<{'":            {Name: "n", Options: []model.Option{option("with", "=a<{", 2)}},
		"n,with=a='b'":            {Name: "n", Options: []model.Option{option("with", "=a='b'", 2)}},
		"n,with='x'',''y',rows=1": {Name: "n", Options: []model.Option{option("with", "=x','y", 2), option("rows", "=1", 17)}},
		"n,final,final":           {Name: "n", Options: []model.Option{option("final", "", 2), option("final", "", 8)}},
	} {
		got, err := model.ParseTag(exact(text))
		require.NoError(t, err, text)
		want.Pos = exact("").Pos
		require.Equal(t, want, got, text)
	}
}

func TestParseMalformedTag(t *testing.T) {
	for text, want := range map[string]model.TagError{
		"n,":                  {Pos: model.Pos{Col: 42}, Problem: "an option is empty"},
		"n,, final":           {Pos: model.Pos{Col: 42}, Problem: "an option is empty"},
		"n,=1":                {Pos: model.Pos{Col: 42}, Problem: "an option is empty"},
		"n,type=a>,final":     {Pos: model.Pos{Col: 48}, Problem: "> has no opening bracket"},
		"n,type={a>":          {Pos: model.Pos{Col: 49}, Problem: "> has no opening bracket"},
		"n,type=<{a,final":    {Pos: model.Pos{Col: 48}, Problem: "the bracket is not closed, } is missing"},
		"n,type=a<b,final":    {Pos: model.Pos{Col: 48}, Problem: "the bracket is not closed, > is missing"},
		"n,with='a,final":     {Pos: model.Pos{Col: 47}, Problem: "the quote is not closed"},
		"n,with='a''b'',c":    {Pos: model.Pos{Col: 53}, Problem: "the quote is not closed"},
		"n,with='a'b,final":   {Pos: model.Pos{Col: 42}, Problem: "the value 'a'b continues after its closing quote"},
		"n,with='a'b'c',d":    {Pos: model.Pos{Col: 42}, Problem: "the value 'a'b'c' continues after its closing quote"},
		"n,'final'":           {Pos: model.Pos{Col: 42}, Problem: "'final' is not a valid option name"},
		"n,  ty<p>e=1":        {Pos: model.Pos{Col: 44}, Problem: "ty<p>e is not a valid option name"},
		"'n'm,final":          {Pos: model.Pos{Col: 40}, Problem: "the value 'n'm continues after its closing quote"},
		"ñ, required, type=>": {Pos: model.Pos{Col: 59}, Problem: "> has no opening bracket"},
	} {
		_, err := model.ParseTag(exact(text))
		var fault *model.TagError
		require.ErrorAs(t, err, &fault, text)
		want.Pos.File, want.Pos.Line = "m.go", 7
		require.Equal(t, want, *fault, text)
	}
}

// If the source quotes the tag with escapes, bytes of the value are not columns of the source.
func TestParseTagWithoutExactPlaces(t *testing.T) {
	l := exact("name,required,final")
	l.Exact = false
	tag, err := model.ParseTag(l)
	require.NoError(t, err)
	for _, o := range tag.Options {
		require.Equal(t, l.Pos, o.Pos)
	}
	l.Text = "name,'"
	_, err = model.ParseTag(l)
	var fault *model.TagError
	require.ErrorAs(t, err, &fault)
	require.Equal(t, l.Pos, fault.Pos)
}

func TestTagOption(t *testing.T) {
	tag, err := model.ParseTag(exact("n,type=ascii,final"))
	require.NoError(t, err)
	o, ok := tag.Option("type")
	require.True(t, ok)
	require.Equal(t, "ascii", o.Value)
	require.True(t, tag.Has("final"))
	require.False(t, tag.Has("required"))
	require.Equal(t, "n,type=ascii,final", tag.String())
}

// A tag with any names and values is unchanged after it is written and read again.
func TestTagStringParsesBack(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab _,='<>{}\"\\ñ\t")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		want := model.Tag{Name: text.Draw(t, "name")}
		for range rapid.IntRange(0, 4).Draw(t, "options") {
			o := model.Option{Key: rapid.StringMatching(`[a-z_]{1,8}`).Draw(t, "key")}
			if o.Valued = rapid.Bool().Draw(t, "valued"); o.Valued {
				o.Value = text.Draw(t, "value")
			}
			want.Options = append(want.Options, o)
		}
		got, err := model.ParseTag(model.Literal{Text: want.String()})
		if err != nil {
			t.Fatalf("%q: %v", want.String(), err)
		}
		want.Quoted = got.Quoted
		require.Equal(t, want, got, want.String())
	})
}

// tagFaults returns the diagnostics of a package whose only field has a tag.
func tagFaults(text string) []model.Diagnostic {
	pos := model.Pos{File: "m.go", Line: 1, Col: 1}
	id := &model.Field{Name: "ID", Exported: true, Pos: pos, Type: &model.GoType{Kind: model.String, Text: "string"}, Tag: exact(text)}
	_, faults := model.Build(&model.Package{Path: "shop", Name: "shop", Structs: []*model.Struct{
		{Name: "Customer", Path: "shop", Pos: pos, Marker: model.AggregateMarker, Fields: []*model.Field{id}},
	}})
	return faults
}

func FuzzTag(f *testing.F) {
	for _, s := range []string{"", "-", "id,identifier", "id,identifier,identifier", "a,type='it''s', unique=g", "n,type=map<text, {x, y}>", "n,with='", "n,<", "é,ñ='<,>'", "a,b=,c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		faults := tagFaults(text)
		tag, err := model.ParseTag(model.Literal{Text: text})
		if err != nil {
			require.Contains(t, rules(faults), model.RuleMalformedTag, text)
			return
		}
		again, err := model.ParseTag(model.Literal{Text: tag.String()})
		require.NoError(t, err, "%q written as %q", text, tag.String())
		tag.Quoted = again.Quoted
		require.Equal(t, tag, again, text)
		keys := map[string]bool{}
		for _, o := range tag.Options {
			if keys[o.Key] && strings.TrimSpace(text) != "-" {
				require.Contains(t, rules(faults), model.RuleRepeatedOption, text)
			}
			keys[o.Key] = true
		}
	})
}

func rules(faults []model.Diagnostic) []model.Rule {
	var out []model.Rule
	for _, f := range faults {
		out = append(out, f.Rule)
	}
	return out
}
