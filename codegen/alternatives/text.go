package alternatives

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/cassaml/cassaml/aml/model"
)

// Table describes the costs of all designs: a row for each, and the reasons of refused cells below.
func (l *Listing) Table() string {
	var b strings.Builder
	b.WriteString(l.Title() + "\n")
	fmt.Fprintf(&b, "A cell has requests/statements/partitions/bytes, for one %s with %d %s. c: conditional requests. [1]: refused, see below.\n\n", l.Root.Struct, l.Elements, plural(l.Element.Struct))
	var reasons []string
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "design\telement has")
	for _, o := range Operations() {
		fmt.Fprintf(w, "\t%s", o)
	}
	fmt.Fprintln(w, "\tlargest partition\tstorage")
	for _, a := range l.Alternatives {
		many := "1 root"
		if a.ManyToMany {
			many = "roots"
		}
		fmt.Fprintf(w, "%s\t%s", a.Name, many)
		if a.Refused != "" {
			fmt.Fprintf(w, "\t%s%s\n", note(&reasons, a.Refused), strings.Repeat("\t-", len(Operations())+1))
			continue
		}
		for _, o := range Operations() {
			fmt.Fprintf(w, "\t%s", a.cell(o, &reasons))
		}
		fmt.Fprintf(w, "\t%s %s\t%s\n", a.Largest.Table, a.Largest.Size(), a.storage())
	}
	w.Flush()
	out := trimLines(b.String())
	if len(reasons) > 0 {
		out += "\n"
	}
	for i, why := range reasons {
		out += fmt.Sprintf("[%d] %s\n", i+1, why)
	}
	return out
}

// Title describes the relationship and its form in the model.
func (l *Listing) Title() string {
	return fmt.Sprintf("%s: one %s, many %s; in the model it is: %s", l.Name, l.Root.Struct, plural(l.Element.Struct), l.Form)
}

// trimLines removes spaces at the ends of lines.
func trimLines(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		out = append(out, strings.TrimRight(line, " "))
	}
	return strings.Join(out, "\n")
}

// note returns the number of a reason, which it adds if it is new.
func note(to *[]string, why string) string {
	i := slices.Index(*to, why)
	if i < 0 {
		i = len(*to)
		*to = append(*to, why)
	}
	return fmt.Sprintf("[%d]", i+1)
}

// cell describes the cost of an operation.
func (a *Alternative) cell(o Operation, reasons *[]string) string {
	c := a.Costs[o]
	if c == nil {
		return note(reasons, a.No[o])
	}
	text := fmt.Sprintf("%d", c.Requests)
	if c.Conditional > 0 {
		text += fmt.Sprintf("(%dc)", c.Conditional)
	}
	return fmt.Sprintf("%s/%d/%d/%d", text, c.Statements, c.Partitions, c.Bytes)
}

func (a *Alternative) storage() string {
	if a.Storage == 0 {
		return "-"
	}
	return model.Estimate{Bytes: a.Storage}.Size()
}

// Text describes the design: its edit, its schema and the faults that it can leave.
func (a *Alternative) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "== %s: %s\n", a.Name, a.About)
	if a.Refused != "" {
		fmt.Fprintf(&b, "\nrefused: %s\n", a.Refused)
		return b.String()
	}
	if a.NoStore != "" {
		fmt.Fprintf(&b, "\nno store can be generated: %s\n", a.NoStore)
	}
	if len(a.Again) > 0 {
		b.WriteString("\nto be written again, because it depends on the relationship:\n")
	}
	for _, s := range a.Again {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	b.WriteString("\noverlapping writers can leave:\n")
	if len(a.Overlaps) == 0 {
		b.WriteString("  nothing\n")
	}
	for _, s := range a.Overlaps {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	fmt.Fprintf(&b, "\n%s\n\n%s\n", strings.TrimRight(a.Diff, "\n"), strings.TrimRight(a.CQL, "\n"))
	return b.String()
}
