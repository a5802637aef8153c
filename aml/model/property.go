package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/internal/lex"
)

// readProperties reads the table properties of a marker.
func readProperties(f *faults, a *Aggregate) {
	t := a.Tag
	p := &a.Properties
	p.Comment, p.GCGrace, p.With = t.value("comment"), t.number("gc_grace", -1), t.value("with")
	if o, ok := t.Option("ttl"); ok {
		readTTL(f, p, o)
	}
	o, ok := t.Option("with")
	if !ok {
		return
	}
	for _, why := range checkWith(p.With, t.Has("comment")) {
		f.add(o.Pos, RuleProperty, "write it like with='compaction = {''class'': ''LeveledCompactionStrategy''}'", "with: %s", why)
	}
}

// readTTL reads the TTL of the rows.
func readTTL(f *faults, p *Properties, o Option) {
	name, number, numbered := cutName(o.Value)
	p.TTLName = name
	if !numbered {
		return
	}
	p.TTL, _ = strconv.Atoi(number) // allowed has checked it
	if p.TTL < 1 || p.TTL > property.MaxTTL {
		f.add(o.Pos, RuleProperty, fmt.Sprintf("use 1 to %d seconds", property.MaxTTL), "ttl=%s is not a valid TTL", o.Value)
	}
}

// Expires reports whether the rows have a TTL.
func (p *Properties) Expires() bool { return p.TTL > 0 || p.TTLName != "" }

// checkWith returns the faults of the properties of with=, each as a message.
func checkWith(with string, commented bool) []string {
	words, err := propertyWords(with)
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
			why = propertyText(with, words[from:skipProperty(r)]) + ": " + err.Error()
		}
		if why != "" {
			out = append(out, why)
		}
	}
	if f := property.CheckIntervals(given); f != nil {
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

// propertyText returns the text from the first word to the last.
func propertyText(with string, words []lex.Word) string {
	if len(words) == 0 {
		return "a property is missing"
	}
	return with[words[0].From:words[len(words)-1].To]
}

// propertyWords returns the words of with=, which must be a part of one statement.
func propertyWords(with string) ([]lex.Word, error) {
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
	switch faults := property.Check(name, v); {
	case ownOption[name] != "":
		return name + " must be written with the option " + ownOption[name], nil
	case property.LookupKind(name) == property.Unknown:
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
