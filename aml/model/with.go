package model

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cassaml/cassaml/aml/model/property"
)

// checkWith returns what is wrong with the properties of with=, each in a message.
func checkWith(with string, commented bool) []string {
	given := map[string]property.Value{}
	if commented {
		given["comment"] = property.Value{}
	}
	var out []string
	for _, x := range splitWith(with) {
		if why := checkProperty(x, given); why != "" {
			out = append(out, why)
		}
	}
	if f := property.JudgeIntervals(given); f != nil {
		out = append(out, f.What)
	}
	return out
}

// splitWith cuts properties at AND outside quotes and braces.
func splitWith(s string) []string {
	var out []string
	depth, quoted, from := 0, false, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth == 0 && i > 0 && s[i-1] == ' ' && len(s) > i+3 && strings.EqualFold(s[i:i+4], "and "):
			out = append(out, strings.TrimSpace(s[from:i]))
			from = i + 4
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// ownOption names the option for properties that the language judges.
var ownOption = map[string]string{"default_time_to_live": "ttl=", "gc_grace_seconds": "gc_grace="}

// checkProperty returns what is wrong with one property; "" is nothing.
func checkProperty(s string, given map[string]property.Value) string {
	name, value, ok := strings.Cut(s, "=")
	name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
	_, twice := given[name]
	switch {
	case !ok || value == "" || name == "":
		return fmt.Sprintf("%q is not name = value", s)
	case ownOption[name] != "":
		return name + " is written with the option " + ownOption[name]
	case property.KindOf(name) == property.Unknown:
		return fmt.Sprintf("%s is no property that a table can have here", name)
	case twice:
		return name + " is given twice"
	}
	v, problem := valueOf(value, property.KindOf(name))
	given[name] = v
	if problem != "" {
		return fmt.Sprintf("%s cannot be %s: %s", name, value, problem)
	}
	if faults := property.Judge(name, v); faults != nil {
		return faults[0].What
	}
	return ""
}

// valueOf reads a value for a property of a kind; problem says why it is none.
func valueOf(s string, k property.Kind) (v property.Value, problem string) {
	switch {
	case k == property.Map:
		v.Entries, problem = mapLiteral(s)
	case isString(s):
		v.Text = unquoted(s)
	case isNumeral.MatchString(s) || property.IsBoolean(s):
		v.Text = s
	default:
		v.Text, problem = s, "it is neither a number, nor true or false, nor a text in quotes"
	}
	return v, problem
}

// isNumeral matches a number as CQL writes it.
var isNumeral = regexp.MustCompile(`^-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?$`)

// isString reports whether s is one CQL string.
func isString(s string) bool {
	if len(s) < 2 || s[0] != '\'' || s[len(s)-1] != '\'' {
		return false
	}
	return !strings.Contains(strings.ReplaceAll(s[1:len(s)-1], "''", ""), "'")
}

// unquoted returns what a CQL string says.
func unquoted(s string) string { return strings.ReplaceAll(s[1:len(s)-1], "''", "'") }

// mapLiteral reads a CQL map of strings to strings, numbers or booleans; problem says why it is none.
func mapLiteral(s string) (entries map[string]string, problem string) {
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return nil, "it is no map"
	}
	entries = map[string]string{}
	inner := strings.TrimSpace(s[1 : len(s)-1])
	if inner == "" {
		return entries, ""
	}
	parts, _, err := splitTag(inner)
	if err != nil {
		return nil, err.Error()
	}
	for _, p := range parts {
		key, value, ok := mapEntry(p.text)
		if !ok {
			return nil, fmt.Sprintf("%s is not 'name': 'value'", strings.TrimSpace(p.text))
		}
		if _, twice := entries[key]; twice {
			return nil, key + " is given twice"
		}
		entries[key] = value
	}
	return entries, ""
}

// mapEntry reads 'key': value.
func mapEntry(s string) (key, value string, ok bool) {
	s = strings.TrimSpace(s)
	end := strings.IndexByte(strings.TrimPrefix(s, "'"), '\'') + 1
	if end < 2 || !isString(s[:end+1]) {
		return "", "", false
	}
	value, ok = strings.CutPrefix(strings.TrimSpace(s[end+1:]), ":")
	value = strings.TrimSpace(value)
	switch {
	case !ok:
	case isString(value):
		value = unquoted(value)
	default:
		ok = isNumeral.MatchString(value) || property.IsBoolean(value)
	}
	return s[1:end], value, ok
}
