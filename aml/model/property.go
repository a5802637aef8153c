package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/internal/lex"
)

// properties reads the table properties of a marker.
func (b *builder) properties(a *Aggregate) {
	t := a.Tag
	p := &a.Properties
	p.Comment, p.GCGrace, p.With = t.value("comment"), t.number("gc_grace", -1), t.value("with")
	if o, ok := t.Option("ttl"); ok {
		b.ttl(p, o)
	}
	o, ok := t.Option("with")
	if !ok {
		return
	}
	for _, why := range checkWith(p.With, t.Has("comment")) {
		b.add(o.Pos, RuleProperty, "write it like with='compaction = {''class'': ''LeveledCompactionStrategy''}'", "with: %s", why)
	}
}

// ttl reads the TTL of the rows.
func (b *builder) ttl(p *Properties, o Option) {
	name, number, numbered := cutName(o.Value)
	p.TTLName = name
	if !numbered {
		return
	}
	p.TTL, _ = strconv.Atoi(number) // allowed has checked it
	if p.TTL < 1 || p.TTL > property.MaxTTL {
		b.add(o.Pos, RuleProperty, fmt.Sprintf("use 1 to %d seconds", property.MaxTTL), "ttl=%s is not a valid TTL", o.Value)
	}
}

// Expires reports whether the rows have a TTL.
func (p *Properties) Expires() bool { return p.TTL > 0 || p.TTLName != "" }

// indexable reports whether a storage-attached index supports the values of a type, or its elements.
func indexable(t *Type) bool {
	n, ok := cqltype.Lookup(t.CQL)
	return t.Kind == Scalar && ok && n.Indexed
}

// index adds a secondary index to an attribute.
func (b *builder) index(at *Attribute, o Option, a *Aggregate) {
	t := at.Type
	if t.collection() && t.Kind != MapType && !at.Final {
		t = t.Elem
	}
	vector, options := t.Kind == Vector && t == at.Type, indexOptions(o.Value)
	switch {
	case at.Type.Kind == List && a.Tag.Has("redundant"):
		b.add(o.Pos, RuleIndex, "index the list of the source", "a list of a redundant table is frozen and cannot have an index")
		return
	case at.Counter, !vector && !indexable(t):
		b.add(o.Pos, RuleIndex, withoutIndex(at), "%s cannot have an index", at.Type)
		return
	case vector && at.Tag.Has("desc"):
		b.add(o.Pos, RuleIndex, "delete desc, or index another column", "a vector in descending order cannot have an index")
		return
	case o.Value != "" && options == nil:
		b.add(o.Pos, RuleIndex, optionsOf(t, at.Key), "index=%s: malformed options", o.Value)
		return
	}
	if why := checkIndexOptions(options, at.Key, t); why != "" {
		b.add(o.Pos, RuleIndex, optionsOf(t, at.Key), "%s: %s", o, why)
		return
	}
	at.Index = &Index{Options: options}
	at.Index.Name = a.Table + "__" + at.Name + "_index"
	b.derived(at, at.Index.Name)
}

// withoutIndex returns what to do about a value that cannot have an index.
func withoutIndex(at *Attribute) string {
	switch t := at.Type; {
	case at.Counter:
		return "delete it: a table of counters cannot have indexes"
	case t.collection() && at.Final && t.Kind != MapType && indexable(t.Elem):
		return "delete final: the elements of a collection that is not frozen can be indexed"
	case t.Kind == MapType:
		return "delete it, and make a redundant aggregate with a row for each entry"
	case t.collection():
		return "delete it, and make a redundant aggregate with a row for each element"
	case t.fields() != nil:
		return "delete it, and make a redundant aggregate whose identifier is the value to look up"
	}
	return "delete it, or use another type for the field: no index supports " + at.Type.String()
}

// optionsOf returns how the options of an index on a value are written.
func optionsOf(t *Type, key bool) string {
	switch {
	case t.Kind == Vector && t.Size == 1:
		return "write index='similarity_function=EUCLIDEAN'"
	case t.Kind == Vector:
		return "write it like index='similarity_function=COSINE'"
	case key:
		return "write only index"
	case t.CQL == "text" || t.CQL == "ascii":
		return "write it like index='case_sensitive=false, normalize=true'"
	}
	return "write only index: an index on " + t.String() + " has no options"
}

// indexOptions reads name=value, name=value; it returns none if the text has another form.
func indexOptions(s string) []IndexOption {
	var out []IndexOption
	for _, p := range strings.Split(s, ",") {
		name, value, ok := strings.Cut(p, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" || strings.ContainsAny(value, "'{}") {
			return nil
		}
		out = append(out, IndexOption{name, value})
	}
	return out
}

// checkIndexOptions returns what is wrong with the options of an index on a value; "" if they are valid.
func checkIndexOptions(options []IndexOption, key bool, t *Type) string {
	given := map[string]string{}
	for _, o := range options {
		if _, twice := given[o.Name]; twice {
			return o.Name + " appears twice"
		}
		given[o.Name] = o.Value
	}
	of := property.Indexed{Key: key, Text: t.Kind == Scalar && (t.CQL == "text" || t.CQL == "ascii")}
	if t.Kind == Vector {
		of.Vector = t.Size
	}
	return of.Judge(given)
}

// checkWith returns what is wrong with the properties of with=, each in a message.
func checkWith(with string, commented bool) []string {
	words, err := wordsOf(with)
	if err != nil {
		return []string{err.Error()}
	}
	r := &lex.Reader{Words: words}
	given := map[string]property.Value{}
	if commented {
		given["comment"] = property.Value{}
	}
	var out []string
	for more := true; more; more = r.Accept("AND") {
		from := r.At
		why, err := checkProperty(r, given)
		if err != nil {
			why = textOf(with, words[from:skipProperty(r)]) + ": " + err.Error()
		}
		if why != "" {
			out = append(out, why)
		}
	}
	if f := property.JudgeIntervals(given); f != nil {
		out = append(out, f.What)
	}
	return out
}

// skipProperty skips to the next AND or to the end, and returns the index of the word there.
func skipProperty(r *lex.Reader) int {
	r.Failed, r.At = false, min(r.At, len(r.Words))
	for w := r.Peek(); w.Text != "" && !w.Is("AND"); w = r.Peek() {
		r.Next()
	}
	return r.At
}

// textOf returns the text from the first word to the last.
func textOf(with string, words []lex.Word) string {
	if len(words) == 0 {
		return "a property is missing"
	}
	return with[words[0].From:words[len(words)-1].To]
}

// wordsOf returns the words of with=, which must be a part of one statement.
func wordsOf(with string) ([]lex.Word, error) {
	for l := (lex.Lexer{Text: with}); ; {
		switch t, err := l.Next(); {
		case err != nil:
			return nil, err
		case t.Kind == lex.Comment || t.Kind == lex.Semicolon:
			return nil, fmt.Errorf("%s is not part of a property", strings.TrimSpace(with[t.From:t.To]))
		case t.Kind == lex.End:
			return lex.Words(with), nil
		}
	}
}

// ownOption contains the properties that have a separate option.
var ownOption = map[string]string{"default_time_to_live": "ttl=", "gc_grace_seconds": "gc_grace="}

// checkProperty reads name = value and returns why it is invalid, or "" if it is valid. It returns an error if it cannot read it.
func checkProperty(r *lex.Reader, given map[string]property.Value) (string, error) {
	name := r.Identifier()
	if !r.Accept("=") {
		return "", errors.New("want name = value")
	}
	_, twice := given[name]
	v, err := property.Read(r)
	if w := r.Peek(); err == nil && w.Text != "" && !w.Is("AND") {
		err = errors.New("want AND, found " + w.Text)
	}
	if err != nil {
		return "", err
	}
	given[name] = v
	switch faults := property.Judge(name, v); {
	case ownOption[name] != "":
		return name + " must be written with the option " + ownOption[name], nil
	case property.KindOf(name) == property.Unknown:
		return fmt.Sprintf("%s is not a table property that with= supports", name), nil
	case twice:
		return name + " appears twice", nil
	case v.Word != "":
		return fmt.Sprintf("invalid %s: %s is not a number, a boolean or a quoted text", name, v.Word), nil
	case faults != nil:
		return faults[0].What, nil
	}
	return "", nil
}
