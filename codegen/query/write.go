package query

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// write reports a statement that writes, with the methods to call instead.
func (k *check) write(w *syntax.Write) {
	sources := k.sources(w.Table)
	if sources == nil {
		k.unknown(w.Table)
		return
	}
	of := named(w.Columns, sources)
	table := of.table
	if w.Verb == "TRUNCATE" {
		k.fault(w.From, RuleWrite, truncate(sources[0]), "TRUNCATE removes the rows of %s", table.Name)
		return
	}
	a := table.Aggregate
	if r := a.Redundancy; r != nil {
		root := k.aggregateSource(r.Source)
		k.fault(w.From, RuleWrite, "call "+k.writing(w.Verb, root, nil), "%s is redundant, and is written with its source %s", table.Name, r.Source.Struct.Name)
		return
	}
	without := ""
	switch {
	case a.Versioned():
		without = " without its version"
	case len(a.Projections) > 0:
		without = " without its redundant aggregates"
	}
	k.fault(w.From, RuleWrite, "call "+k.writing(w.Verb, of, w.Columns), "%s writes %s%s", w.Verb, table.Name, without)
}

// truncate returns what to do instead of TRUNCATE. A store remembers rows with cache=, and does not write them again before it is told to.
func truncate(of source) string {
	remembered := func(a *model.Aggregate) bool { return a.Redundancy != nil && a.Redundancy.Cache > 0 }
	a := of.table.Aggregate
	if remembered(a) {
		return "truncate it by hand, and then call s.Forget() in each program, which would otherwise not write the rows again until the time of cache= ends"
	}
	text := "delete each row of s." + of.field + ".All, or truncate the tables by hand, those of its redundant aggregates too"
	if slices.ContainsFunc(a.Projections, remembered) {
		text += ", and then call s.Forget() in each program"
	}
	return text
}

// named returns the root or the part of a table that has all columns which a statement names; the last one if none has. A root whose part is in its table has no discriminators.
func named(columns []syntax.Name, sources []source) source {
	for _, of := range sources {
		if !slices.ContainsFunc(columns, func(n syntax.Name) bool { return of.column(n) == nil }) {
			return of
		}
	}
	return sources[len(sources)-1]
}

// batch describes the methods that write the rows of a batch: s.Batch() has the writes of plain roots and parts.
func (k *check) batch(b *syntax.Batch) string {
	for _, w := range b.Writes {
		sources := k.sources(w.Table)
		if len(sources) == 0 {
			continue
		}
		of := named(w.Columns, sources)
		if root := sourceRoot(of.table.Aggregate); !root.InBatches() {
			if of.table.Aggregate.Root == nil {
				of = k.aggregateSource(root)
			}
			return "s.Batch() has no writes of " + root.Struct.Name + ": call " + k.writing(w.Verb, of, w.Columns)
		}
	}
	return "call the methods of s.Batch(), then Run"
}

// set returns the method that writes one of some columns without a read; "" if there is none.
func set(of source, written []syntax.Name) string {
	for _, n := range written {
		if c := of.column(n); c != nil && of.view == nil && of.table.Settable(c) == "" {
			return "Set" + c.Attribute.GoName()
		}
	}
	return ""
}

// final returns the final field among some columns; "" if there is none.
func final(of source, written []syntax.Name) string {
	for _, n := range written {
		if c := of.column(n); c != nil && c.Attribute.Fixed {
			return c.Attribute.GoName()
		}
	}
	return ""
}

// partMethods names the methods of a part, in the function of Update of its root, that replace a statement.
func partMethods(verb, part string) string {
	switch verb {
	case "INSERT":
		return part + "Insert or " + part + "Put"
	case "UPDATE":
		return part + "Get and " + part + "Put"
	}
	return part + "Delete or, for a range, " + part + "Of()….Delete()"
}

// writing names the methods that replace a statement which names some columns.
func (k *check) writing(verb string, of source, columns []syntax.Name) string {
	root := "s." + of.field + "."
	switch a := of.table.Aggregate; {
	case a.Counter:
		return root + "Add… of the counter"
	case a.Versioned() && a.Root != nil:
		return "s." + k.aggregateSource(a.Root).field + ".Update, and in its function " + partMethods(verb, "p."+a.Struct.Name+".")
	case verb == "INSERT":
		return root + "Insert or " + root + "Put"
	case verb == "UPDATE" && final(of, columns) != "":
		return root + "Insert, which alone sets " + final(of, columns) + ": it is final"
	case verb == "UPDATE" && !a.Versioned() && set(of, columns) != "":
		return root + "Update or " + root + set(of, columns)
	case verb == "UPDATE":
		return root + "Update"
	}
	return root + "Delete"
}
