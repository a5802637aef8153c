package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// conditionResolver resolves when=, the condition with which a row of a redundant aggregate exists.
type conditionResolver struct{ *resolver }

// condition resolves when=.
func (c *conditionResolver) condition(a *Aggregate) {
	r := a.Redundancy
	if r.when.Key == "" || c.negates(r) {
		return
	}
	cond, why := parseComparison(r.when.Value)
	if why != "" {
		c.add(r.when.Pos, RuleWhen, fmt.Sprintf("write 'Path = constant' or 'Path in (constant, constant)', or add to %[1]s a method that returns a bool, and write it like when=%[1]s.%[2]s()",
			r.Source.Struct.Name, conditionName(r.when.Value)), "%s: %s", r.when, why)
		return
	}
	p := c.resolve(Option{Key: r.when.Key, Value: cond.path, Valued: true, Pos: r.when.Pos}, RuleWhen, "write when=Source.Field in Go names")
	if p == nil {
		return
	}
	switch end := len(p.Steps) - 1; {
	case p.Source != r.Source || end < 0:
		c.add(r.when.Pos, RuleWhen, "use a field or method of "+r.Source.Struct.Name, "%s: the source of %s is %s", r.when, a.Struct.Name, r.Source.Struct.Name)
	case p.Loop >= 0 && !p.sameLoop(r.Path):
		c.add(r.when.Pos, RuleWhen, "use a value of the source or of the collection in redundant=", "%s: the path goes into another collection than that of redundant=", r.when)
	case cond.values != nil:
		if r.OneOf = c.compared(r, p, cond.values); r.OneOf != nil {
			r.When = p
		}
	case !isBool(p.valueType()) && !p.valueType().canBeEmpty() && !p.CanBeNil():
		c.add(r.when.Pos, RuleWhen, "use a bool, a pointer, a method that returns one, or compare it with a constant",
			"%s: it is %s, which is neither a bool nor can be nil", r.when, p.valueType())
	default:
		r.When = p
	}
}

// negates reports a condition that begins with !.
func (c *conditionResolver) negates(r *Redundancy) bool {
	opposite, negated := strings.CutPrefix(r.when.Value, "!")
	if negated {
		steps, source := strings.Split(strings.TrimSuffix(opposite, "()"), "."), r.Source.Struct.Name
		c.add(r.when.Pos, RuleWhen, fmt.Sprintf("compare a bool with false, or add to %s a method that returns the opposite, and write it like when=%s.Not%s()", source, source, steps[len(steps)-1]),
			"%s: a path cannot negate", r.when)
	}
	return negated
}

// compared returns the constants with which the value of a path is compared; nil if one of them is invalid, which it reports.
func (c *conditionResolver) compared(r *Redundancy, p *Path, values []literal) (out []Constant) {
	if p.Method() != nil {
		c.add(r.when.Pos, RuleWhen, "compare a field, or return a bool from the method", "%s: the result of a method is not compared", r.when)
		return nil
	}
	for _, l := range values {
		value, fix, why := p.valueType().constant(l)
		if why == "" && slices.ContainsFunc(out, func(o Constant) bool { return o.Value == value.Value }) {
			fix, why = "delete one of them", l.String()+" appears twice"
		}
		if why != "" {
			c.add(r.when.Pos, RuleWhen, fix, "%s: %s", r.when, why)
			return nil
		}
		out = append(out, value)
	}
	return out
}

// Condition returns the condition of the rows for messages: Ticket.Open, Ticket.State = Pending; "" for none.
func (r *Redundancy) Condition() string {
	if r.OneOf == nil {
		if r.When == nil {
			return ""
		}
		return r.When.String()
	}
	var values []string
	for _, c := range r.OneOf {
		values = append(values, c.text(r.When.valueType()))
	}
	if len(values) == 1 {
		return r.When.String() + " = " + values[0]
	}
	return r.When.String() + " in (" + strings.Join(values, ", ") + ")"
}

// text returns the constant as a condition contains it.
func (c Constant) text(t *Type) string {
	switch {
	case c.Name != "":
		return c.Name
	case t.Go.Kind == String && (c.Value == "" || strings.ContainsFunc(c.Value, isOdd)):
		return QuoteText(c.Value)
	}
	return c.Value
}

// constant returns the constant of a type that a literal names, or how to fix the literal and why.
func (t *Type) constant(l literal) (c Constant, fix, why string) {
	if !t.comparable() {
		return c, "compare a text, an integer or a bool, or add a method that returns a bool", "a value of type " + t.String() + " is not compared with a constant"
	}
	if len(t.Go.Constants) > 0 {
		return t.declared(l)
	}
	switch {
	case t.Go.Kind == String && (!utf8.ValidString(l.text) || t.CQL == "ascii" && !isASCII(l.text)):
		return c, "use other characters", fmt.Sprintf("%s is not %s", l, t.CQL)
	case t.Go.Kind == String:
		return Constant{Value: l.text}, "", ""
	case t.Go.Kind == Bool && !l.quoted && (l.text == "true" || l.text == "false"):
		return Constant{Value: l.text}, "", ""
	case t.Go.Kind == Bool:
		return c, "write true or false", fmt.Sprintf("%s is not a boolean", l)
	}
	n, err := strconv.ParseInt(l.text, 10, 8*t.size())
	if err != nil || l.quoted {
		return c, fmt.Sprintf("write an integer of %d bits", 8*t.size()), fmt.Sprintf("%s is not %s", l, t.CQL)
	}
	return Constant{Value: strconv.FormatInt(n, 10)}, "", ""
}

// declared returns the constant of the Go type that a literal names, by its name or its value.
func (t *Type) declared(l literal) (c Constant, fix, why string) {
	var found []Constant
	var names []string
	for _, d := range t.Go.Constants {
		names = append(names, d.Name)
		named, valued := d.Name == l.text && !l.quoted, d.Value == l.text && (!l.quoted || t.Go.Kind == String)
		if (named || valued) && !slices.ContainsFunc(found, func(o Constant) bool { return o.Value == d.Value }) {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 0:
		return c, "use one of the constants of " + t.Go.Text + ": " + strings.Join(names, ", "), fmt.Sprintf("%s is no constant of %s", l, t.Go.Text)
	case 1:
		return found[0], "", ""
	}
	return c, "put the value in quotes", fmt.Sprintf("%s is the name of a constant of %s and the value of another", l, t.Go.Text)
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// conditionName suggests a method name for a comparison: A.City=Recife => IsCityRecife.
func conditionName(comparison string) string {
	words := strings.FieldsFunc(comparison, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	name := "Is"
	for _, w := range words[min(1, len(words)):] {
		name += upperFirst(w)
	}
	return name
}

// comparison is a condition as written: a path, and the constants that it is compared with.
type comparison struct {
	path   string
	values []literal // nil: the path alone
}

// literal is a constant as written, without its quotes.
type literal struct {
	text   string
	quoted bool
}

// String returns the literal as it is written.
func (l literal) String() string {
	if l.quoted {
		return QuoteText(l.text)
	}
	return l.text
}

// parseComparison reads a condition: a path, Path = constant, or Path in (constant, …). If it is neither, why is the reason.
func parseComparison(text string) (c comparison, why string) {
	end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("=<>!&|", r) })
	if end < 0 {
		return comparison{path: text}, ""
	}
	c.path = text[:end]
	rest := strings.TrimSpace(text[end:])
	if list, ok := strings.CutPrefix(rest, "in"); ok && strings.HasPrefix(strings.TrimSpace(list), "(") {
		inner, closed := strings.CutSuffix(strings.TrimSpace(list), ")")
		if !closed {
			return c, "the list of constants is not closed"
		}
		c.values, why = literals(strings.TrimSpace(inner)[1:], true)
		return c, why
	}
	value, ok := strings.CutPrefix(rest, "=")
	if !ok || strings.HasPrefix(value, "=") {
		return c, "a path cannot compare except with = and in"
	}
	c.values, why = literals(value, false)
	return c, why
}

// literals reads constants, several only in a list. Commas are not part of a constant outside quotes.
func literals(text string, list bool) (out []literal, why string) {
	for {
		l, rest, why := nextLiteral(strings.TrimSpace(text))
		if why != "" {
			return nil, why
		}
		out = append(out, l)
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return out, ""
		}
		if text = strings.TrimPrefix(rest, ","); text == rest || !list {
			return nil, "there is more text after the constant " + l.String()
		}
	}
}

// nextLiteral reads the first constant of a text.
func nextLiteral(text string) (l literal, rest, why string) {
	if !strings.HasPrefix(text, "'") {
		end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",()'=<>!&|", r) })
		if end < 0 {
			end = len(text)
		}
		if end == 0 {
			return l, "", "a constant is missing"
		}
		return literal{text: text[:end]}, text[end:], ""
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '\'':
			b.WriteByte(text[i])
		case i+1 < len(text) && text[i+1] == '\'':
			b.WriteByte('\'')
			i++
		default:
			return literal{b.String(), true}, text[i+1:], ""
		}
	}
	return l, "", "a quote is not closed"
}
