package codegen

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cassaml/cassaml/aml/model"
)

// names chooses the names that the generated file declares, and reports collisions.
type names struct {
	prefix   string
	declared map[string]model.Pos // names in the package's own files
	taken    map[string]bool      // names in the generated file
	twice    map[*model.Struct]bool
	list     []model.Diagnostic
}

func newNames(prefix string, declared map[string]model.Pos) *names {
	n := &names{prefix: prefix, declared: declared, taken: map[string]bool{}, twice: map[*model.Struct]bool{}}
	for name, at := range declared {
		if types.Universe.Lookup(name) != nil {
			n.add(at, "rename it", "the package declares %s, a predeclared identifier that the generated code uses", name)
		}
	}
	return n
}

// exported returns a name in the API of the store.
func (n *names) exported(name string, of *model.Struct) string {
	return n.claim(n.prefix+name, of)
}

// internal returns an unexported name of the generated file.
func (n *names) internal(name string, of *model.Struct) string {
	return n.claim(model.LowerFirst(n.prefix+upperFirst(name)), of)
}

func (n *names) claim(name string, of *model.Struct) string {
	if at, ok := n.declared[name]; ok {
		n.add(at, "rename it, or generate with -prefix", "the package declares %s, a name that aml generate needs for %s", name, of.Name)
	} else if n.taken[name] && !n.twice[of] {
		n.twice[of] = true // the other names of the same two collide as well
		n.add(of.Pos, "rename one of them", "%s would be generated twice, the second time for %s", name, of.Name)
	}
	n.taken[name] = true
	return name
}

// function returns the name of a function of the codec. If two types result in the same name, it adds a number.
func (n *names) function(name string, of *model.Struct) string {
	unique := name
	for i := 2; n.taken[model.LowerFirst(n.prefix+upperFirst(unique))]; i++ {
		unique = name + strconv.Itoa(i)
	}
	return n.internal(unique, of)
}

// isDeclared reports whether the package's own files declare a name.
func (n *names) isDeclared(name string) bool {
	_, ok := n.declared[name]
	return ok
}

// imported reserves the name of an imported package.
func (n *names) imported(name, path string) {
	if at, ok := n.declared[name]; ok {
		n.add(at, "rename it", "the package declares %s, which is the name of the import %s in the generated file", name, path)
	}
}

// local are the names of parameters and variables in generated functions.
var local = map[string]bool{"e": true, "d": true, "f": true, "v": true, "k": true, "t": true, "q": true, "s": true, "ctx": true, "db": true, "session": true, "backend": true, "config": true, "change": true, "p": true, "parts": true, "rows": true}

// ofReferences are the names of parameters and variables where references are followed. No parameter there is named after a field.
var ofReferences = map[string]bool{"next": true, "i": true, "x": true, "values": true}

// limit is the parameter of methods that have a limit in addition to v.
const limit = "limit"

// free reports whether a package can be imported by a name.
func (n *names) free(name string) bool {
	return !n.isDeclared(name) && !local[name] && !ofReferences[name] && name != limit && name != "key" && name != "keys"
}

func (n *names) add(at model.Pos, fix, what string, args ...any) {
	n.list = append(n.list, model.Diagnostic{Pos: at, Rule: model.RuleGoNameCollides, What: fmt.Sprintf(what, args...), Fix: fix})
}

// distinct reports a member of a generated type that has the name of an existing member.
func (n *names) distinct(of *model.Struct, owner string, has []string, member string) {
	if slices.Contains(has, member) {
		n.add(of.Pos, "rename the field or the table", "%s would have two members named %s", owner, member)
	}
}

// goName returns the Go name of a table.
func (n *names) goName(table string, of *model.Struct) string {
	name := model.CamelCase(table)
	if !token.IsIdentifier(name) {
		n.list = append(n.list, model.Diagnostic{Pos: of.Pos, Rule: model.RuleNoGoName, What: fmt.Sprintf("table %s has no valid Go name", table), Fix: "rename it: its name must begin with a letter"})
		n.twice[of] = true // so do the names derived from it
	}
	return name
}

func (n *names) faults() []model.Diagnostic { return model.Sorted(n.list) }

func upperFirst(s string) string {
	r := []rune(s)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// isCodec reports whether a function that writes or checks a value can have a name.
func (n *names) isCodec(name string) bool {
	return slices.ContainsFunc([]string{"Encode", "Qualify", "Check", "Identify"}, func(verb string) bool { return strings.HasPrefix(name, model.LowerFirst(n.prefix+verb)) })
}

// parameters returns the names of the parameters of a method, from key fields. Names that the body uses are kept.
func (n *names) parameters(key []*model.Attribute) []string {
	goNames := make([]string, len(key))
	for i, a := range key {
		goNames[i] = a.GoName()
	}
	return n.parameterNames(goNames)
}

// parameterNames returns the names of the parameters of a method, from names of fields.
func (n *names) parameterNames(fields []string) []string {
	used := map[string]bool{"gen": true}
	var out []string
	for _, field := range fields {
		p := model.LowerFirst(field)
		codec := n.isCodec(p)
		for used[p] || local[p] || codec || token.IsKeyword(p) || types.Universe.Lookup(p) != nil {
			codec = false
			p += "_"
		}
		used[p] = true
		out = append(out, p)
	}
	return out
}

// unique returns a name that is not one of names.
func unique(name string, names []string) string {
	for slices.Contains(names, name) {
		name += "_"
	}
	return name
}

// camel joins the words of a type: map<text, int> => MapTextInt.
func camel(text string) string {
	var out strings.Builder
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		out.WriteString(upperFirst(w))
	}
	return out.String()
}
