package alternatives

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/alternatives/gosource"
	"github.com/cassaml/cassaml/codegen/explain"
)

// Config configures a list. The zero value works.
type Config struct {
	// Key has the names of the fields that identify an element, for an element without an identifier.
	Key []string
	// ManyToMany lists only the designs in which an element can have several roots.
	ManyToMany bool
}

// Listing has the designs of one relationship.
type Listing struct {
	*Relationship
	Elements     int // the number in a root, for the costs
	Alternatives []*Alternative
	Omitted      []string // files of the package that declare nothing of the model, which a design does not have
}

// Alternative is one design of a relationship.
type Alternative struct {
	Name       string
	About      string
	ManyToMany bool
	Versioned  bool
	Current    bool                 // it is the design of the model, and has no edit
	Refused    string               // why the model cannot have the design; "" if it can. The fields below are then empty
	Files      map[string]string    // the files of the package, by their base names
	Diff       string               // the edit of the model, as a unified diff
	Again      []string             // the structs that depend on the relationship and that the design does not have, with their places
	CQL        string               // the schema
	Calls      map[Operation][]Call // the calls of the store that an operation consists of
	Costs      map[Operation]*Cost
	No         map[Operation]string // why an operation has no cost
	Overlaps   []string             // the faults that overlapping writers, or a missing rule, can leave
	Loses      []string             // the guarantees of the model that the design does not keep
	Unlimited  string               // a text about the limit max= of the model that the design does not check, which is no guarantee; "" for none
	Largest    model.TableEstimate  // the largest partition of the tables of the relationship
	Storage    int64                // the estimated bytes of one root with its elements, in all tables
	Warnings   []model.Diagnostic
	NoStore    string // why no store can be generated for the design; "" if one can

	edited map[string]string // the files with the edit of the design that the model already has

	Model  *model.Model
	Schema *schema.Schema
}

// List lists the designs of a relationship, which is named by the struct and the field that have it, or by its two sides: Customer.Vehicles.
func List(files *load.Files, name string, c Config) (*Listing, error) {
	p, err := files.Package(files.Texts)
	if err != nil {
		return nil, err
	}
	m, faults := model.Build(p)
	if model.Refused(faults) {
		return nil, fmt.Errorf("alternatives: the model is refused: %s", faults[0])
	}
	resolved, omitted := Resolve(m, name)
	if omitted != "" && findPart(m, name) == nil {
		return nil, fmt.Errorf("%s: %s", name, omitted)
	}
	r, err := Find(m, cmp.Or(resolved, name), c.Key)
	if err != nil {
		return nil, err
	}
	r.warnings = faults
	out := &Listing{Relationship: r, Elements: r.sample()}
	own := map[string]string{}
	for file, text := range files.Texts {
		if declares(file, m) {
			own[filepath.Base(file)] = string(text)
		} else {
			out.Omitted = append(out.Omitted, filepath.Base(file))
		}
	}
	slices.Sort(out.Omitted)
	before, err := gosource.New(own).Texts()
	if err != nil {
		return nil, err
	}
	for _, d := range designs() {
		if c.ManyToMany && !d.many {
			continue
		}
		out.Alternatives = append(out.Alternatives, r.alternative(files, before, d))
	}
	out.refuseRepeated()
	return out, nil
}

// refuseRepeated refuses a design that is the same as one with versions, because the model needs a version in both.
func (l *Listing) refuseRepeated() {
	for i, a := range l.Alternatives {
		for _, b := range l.Alternatives[i+1:] {
			if a.Refused == "" && b.Refused == "" && slices.Equal(a.lines(), b.lines()) {
				*a = Alternative{Name: a.Name, About: a.About, ManyToMany: a.ManyToMany, Versioned: true, Refused: "the model needs a version, so it is the same as " + b.Name}
			}
		}
	}
}

// lines returns the lines of the files, sorted and without their indentation: the order of fields makes no other design.
func (a *Alternative) lines() (out []string) {
	texts := a.edited
	if texts == nil {
		texts = a.Files
	}
	for _, text := range texts {
		for _, line := range strings.Split(text, "\n") {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(out, func(line string) bool { return line == "" })
}

// declares reports whether a file declares a struct of the model, or a type of one of its fields.
func declares(file string, m *model.Model) bool {
	in := func(p model.Pos) bool { return p.File != "" && filepath.Base(p.File) == filepath.Base(file) }
	for _, s := range m.Package.Structs {
		if in(s.Pos) {
			return true
		}
	}
	for _, o := range m.Objects {
		if o.Struct.Path == m.Package.Path && in(o.Struct.Pos) {
			return true
		}
	}
	for name, pos := range m.Package.Names {
		if in(pos) && mentions(m, name) {
			return true
		}
	}
	return false
}

// mentions reports whether the type of a field of the model is a name of the package.
func mentions(m *model.Model, name string) bool {
	var has func(t *model.GoType) bool
	has = func(t *model.GoType) bool {
		if t == nil {
			return false
		}
		own := t.Named != nil && t.Named.Path == m.Package.Path && t.Named.Name == name
		return own || has(t.Elem) || has(t.Key)
	}
	all := slices.Clone(m.Package.Structs)
	for _, o := range m.Objects {
		all = append(all, o.Struct)
	}
	return slices.ContainsFunc(all, func(s *model.Struct) bool {
		return slices.ContainsFunc(s.Fields, func(f *model.Field) bool { return has(f.Type) })
	})
}

// alternative applies a design and evaluates it.
func (r *Relationship) alternative(files *load.Files, before map[string]string, d *design) *Alternative {
	a := &Alternative{Name: d.name(), About: d.about, ManyToMany: d.many, Versioned: d.guard != "", Costs: map[Operation]*Cost{}, No: map[Operation]string{}}
	if a.Refused = d.refused(r); a.Refused != "" {
		return a
	}
	err := a.apply(r, files, before, d)
	current := a.Name == r.Current()
	switch {
	case current && a.unchanged(r, before, d):
	case err != nil:
		a.Refused = err.Error()
	default:
		a.evaluate(r, d)
	}
	a.Current = current && a.Diff == ""
	return a
}

// unchanged evaluates the design of the model as the model declares it, with all that it guarantees and its own tables, in place of the edit. It reports
// whether it could: it cannot if the table or the field of a call is not found in the model.
func (a *Alternative) unchanged(r *Relationship, before map[string]string, d *design) bool {
	x := &Alternative{Name: a.Name, About: a.About, ManyToMany: a.ManyToMany, Costs: map[Operation]*Cost{}, No: map[Operation]string{},
		Model: r.model, Schema: schema.New(r.model), Files: before, Warnings: r.warnings, edited: a.Files}
	if err := x.fit(); err != nil {
		return false
	}
	x.evaluate(r, d)
	for o, calls := range x.Calls {
		unnamed := slices.ContainsFunc(calls, func(c Call) bool { return c.Field == "" && (c.Method == "Set" || c.Method == "Elements") })
		if x.Costs[o] == nil || unnamed {
			return false
		}
	}
	*a = *x
	return true
}

// rename sets the tables and fields of the calls of a design to the names in the model.
func (r *Relationship) rename(p plan) {
	for o, calls := range p.calls {
		for i := range calls {
			switch c, of := &calls[i], aggregate(r.model, calls[i].Of); {
			case of == nil:
				c.Of = r.reads(o)
			case c.Field != "" && !slices.ContainsFunc(of.Attributes, func(at *model.Attribute) bool { return at.GoName() == c.Field }):
				c.Field = r.fields[c.Of]
			}
		}
	}
}

// reads returns the struct of the redundant table of the model that an operation reads; "" for none.
func (r *Relationship) reads(o Operation) string {
	if o != ReadByElement {
		o = ReadByRoot
	}
	for _, d := range r.Dependent {
		if a := aggregate(r.model, d.Name); a != nil && r.ReadOperation(a) == o {
			return d.Name
		}
	}
	return ""
}

// evaluate completes a design that has a model.
func (a *Alternative) evaluate(r *Relationship, d *design) {
	a.Versioned = slices.ContainsFunc(a.Model.Aggregates, func(x *model.Aggregate) bool { return a.structs(r)[x] && x.Version != nil })
	a.Again = r.missing(a.Model)
	a.CQL = a.Schema.CQL()
	a.measure(r, d)
}

// fit sets why no store can be generated for the design, if that is so.
func (a *Alternative) fit() error {
	faults, err := codegen.Unfit(a.Model, a.Schema, codegen.Config{})
	if err == nil && len(faults) > 0 {
		a.NoStore = faults[0].Rule.Code + ": " + faults[0].What
	}
	return err
}

// apply edits the files and builds the model of the design.
func (a *Alternative) apply(r *Relationship, files *load.Files, before map[string]string, d *design) error {
	edit := &draft{r, gosource.New(before), d.guard != ""}
	edit.begin()
	d.edit(edit)
	texts, err := edit.Texts()
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "gosource: "))
	}
	p, err := files.Package(inMemory(texts))
	if err != nil {
		return fmt.Errorf("other code of the package needs what the design does not declare: change it first, or write the design by hand: %s", oneLine(err.Error()))
	}
	m, faults := model.Build(p)
	for _, f := range faults {
		if f.Rule.Severity == model.Refusal {
			return fmt.Errorf("%s: %s", f.Rule.Code, f.What)
		}
	}
	a.Model, a.Schema, a.Files, a.Warnings = m, schema.New(m), texts, faults
	if err := a.fit(); err != nil {
		return err
	}
	given := own(files)
	for _, name := range slices.Sorted(keys(texts)) {
		if texts[name] != before[name] { // the file of the model can have another format, and the edit is for this file
			a.Diff += string(diff.Diff(name, given[name], name, []byte(texts[name])))
		}
	}
	return nil
}

// own returns the texts of files by their base names.
func own(files *load.Files) map[string][]byte {
	out := map[string][]byte{}
	for name, text := range files.Texts {
		out[filepath.Base(name)] = text
	}
	return out
}

func keys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func inMemory(texts map[string]string) map[string][]byte {
	out := map[string][]byte{}
	for name, text := range texts {
		out[name] = []byte(text)
	}
	return out
}

func oneLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

// missing returns the structs that the design does not have and that are no form of the relationship.
func (r *Relationship) missing(m *model.Model) (out []string) {
	for _, d := range r.Dependent {
		declared := slices.ContainsFunc(m.Package.Structs, func(s *model.Struct) bool { return s.Name == d.Name })
		if !declared && !d.View {
			out = append(out, fmt.Sprintf("%s: %s", place(d.Pos), d.Name))
		}
	}
	return out
}

func place(p model.Pos) string {
	p.File = filepath.Base(p.File)
	return p.String()
}

// measure evaluates the operations.
func (a *Alternative) measure(r *Relationship, d *design) {
	edit := &draft{r, nil, d.guard != ""}
	p := d.calls(edit)
	if a.Model == r.model {
		r.rename(p)
	}
	collection, _ := edit.collection()
	a.Calls = p.calls
	m := &meter{Explanation: explain.New(a.Model, a.Schema), n: r.sample(), element: r.Element.Struct, sides: []string{r.Root.Struct, r.Element.Struct}, copy: a.copyField(r)}
	if f := r.Element.Changed(); f != nil {
		m.field = f.Name
	}
	m.owners = a.set(r.Element.Struct, r.Root.Struct)
	maps.Copy(a.No, p.refused)
	if m.collection = a.set(r.Root.Struct, r.Element.Struct); m.collection == nil {
		m.collection = a.attribute(r.Root.Struct, func(at *model.Attribute) bool { return at.GoName() == collection })
	}
	for o, calls := range p.calls {
		c, err := m.calls(calls)
		if err != nil {
			a.No[o] = err.Error()
			continue
		}
		a.Costs[o] = &c
	}
	if c := a.Costs[Insert]; c != nil {
		a.Storage = c.stored
	}
	a.Overlaps = append(overlaps(a.Model, a.structs(r)), a.differing(r)...)
	a.Loses = a.losses(r)
	if a.Unlimited = a.unlimited(r); a.Unlimited != "" {
		a.Overlaps = append(a.Overlaps, a.Unlimited)
	}
	a.Largest = largest(a.Model, a.structs(r))
}

// set returns the field of a struct with references to several of another one; nil for none.
func (a *Alternative) set(of, target string) *model.Attribute {
	return a.attribute(of, func(at *model.Attribute) bool {
		return at.Association != nil && at.Association.Many && at.Association.Target.Struct.Name == target
	})
}

// attribute returns the first field of an aggregate for which is reports true; nil for none.
func (a *Alternative) attribute(of string, is func(*model.Attribute) bool) *model.Attribute {
	x := aggregate(a.Model, of)
	if x == nil {
		return nil
	}
	i := slices.IndexFunc(x.Attributes, is)
	if i < 0 {
		return nil
	}
	return x.Attributes[i]
}

// copyField returns the first field of an element that follows a field of its root; "" for none.
func (a *Alternative) copyField(r *Relationship) string {
	if e := aggregate(a.Model, r.Element.Struct); e != nil {
		for _, c := range e.Copies {
			switch {
			case c.Target.Struct.Name != r.Root.Struct:
			case c.Association == nil:
				return c.Attribute.GoName()
			case len(c.Fields) > 0:
				return c.Fields[0].Held.GoName()
			}
		}
	}
	return ""
}

// structs returns the aggregates of the design that the relationship concerns: the two sides, and those that follow from them or refer to them.
func (a *Alternative) structs(r *Relationship) map[*model.Aggregate]bool {
	out := map[*model.Aggregate]bool{}
	for _, x := range a.Model.Aggregates {
		if x.Struct.Name == r.Root.Struct || x.Struct.Name == r.Element.Struct || r.isNew(x) {
			out[x] = true
		}
	}
	return out
}

// isNew reports whether the design has added an aggregate to the model.
func (r *Relationship) isNew(a *model.Aggregate) bool {
	return aggregate(r.model, a.Struct.Name) == nil || slices.Contains(r.removed, a.Struct.Name)
}

// largest returns the largest partition of some aggregates.
func largest(m *model.Model, of map[*model.Aggregate]bool) (out model.TableEstimate) {
	tables := map[string]bool{}
	for a := range of {
		for _, t := range append(a.Derived(), a.Table) {
			tables[t] = true
		}
	}
	for _, e := range model.Estimates(m) {
		if tables[e.Table] && e.Bytes > out.Bytes {
			out = e
		}
	}
	return out
}
