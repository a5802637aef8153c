package change

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/codegen/diagram"
)

// Markdown returns the change as Markdown: a table of the differences of each object, the statements in a code fence, the findings, and
// the notes.
func (c *Change) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- %s -->\n## Schema changes of %s\n\n%s\n", diagram.Mark, code(c.Of), c.summary())
	for _, o := range c.Objects {
		o.markdown(&b)
	}
	if s := c.same(); s != "" {
		b.WriteString("\n" + s + "\n")
	}
	for _, s := range c.Statements {
		text := visible(s.Text)
		f := fence(text)
		fmt.Fprintf(&b, "\n### Statements of %s\n\n%scql\n%s\n%s\n", code(s.Name), f, text, f)
	}
	if len(c.Statements) > 0 {
		c.findings(&b)
	}
	if len(c.Notes) > 0 {
		b.WriteString("\n### Notes\n\n")
	}
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "- %s\n", prose(n))
	}
	return b.String()
}

func (c *Change) findings(b *strings.Builder) {
	b.WriteString("\n### Findings\n\n")
	if len(c.Findings) == 0 {
		b.WriteString("`aml migrate lint` finds nothing.\n")
	}
	for _, f := range c.Findings {
		name, text := f.answer()
		fmt.Fprintf(b, "- **%s** %s: %s. %s: %s.\n", f.Code, code(f.Where), prose(f.Message), name, prose(text))
	}
}

// markdown writes the rows of an object that differ. It counts the others.
func (o *Object) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n### %s %s %s %s\n\n| | | before | after |\n|---|---|---|---|\n", o.Sign, o.Kind, code(o.Name), o.Sign.word())
	same := 0
	for _, r := range o.Rows {
		if r.Sign == Same {
			same++
			continue
		}
		name := r.latest().Name
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", r.Sign, tableCode(name), r.Before.markdown(name), r.After.markdown(name))
	}
	if same > 0 {
		fmt.Fprintf(b, "\nUnchanged and not shown: %s.\n", diagram.Counted(same, "row"))
	}
}

// latest returns the later side that exists.
func (r *Row) latest() *Cell {
	if r.After != nil {
		return r.After
	}
	return r.Before
}

// markdown returns the text of a cell, with its name if it is not name.
func (c *Cell) markdown(name string) string {
	if c == nil {
		return ""
	}
	s := tableCode(c.Type)
	if c.Name != name {
		s = tableCode(c.Name) + " " + s
	}
	if c.Mark != "" {
		s += " " + c.Mark
	}
	return s
}

const maxCell = 200 // characters of a text in a table

// tableCode returns a text as code in a table, where | ends a cell also in code.
func tableCode(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) }

// code returns a text as a code span, in which Markdown reads no markup.
func code(s string) string {
	s = diagram.PlainTo(strings.Join(strings.Fields(s), " "), maxCell)
	if s == "" {
		return ""
	}
	around := strings.Repeat("`", longest(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return around + s + around
}

// longest returns the length of the longest run of backticks.
func longest(s string) (most int) {
	run := 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		most = max(most, run)
	}
	return most
}

// visible returns the lines of a text without control characters and characters that change the direction of the text after them.
func visible(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = diagram.PlainTo(line, len(line))
	}
	return strings.Join(lines, "\n")
}

// fence returns the border of a code fence around a text.
func fence(s string) string { return strings.Repeat("`", max(3, longest(s)+1)) }

// prose escapes a text in which Markdown could read markup, a mention or a link to an issue.
func prose(s string) string {
	var b strings.Builder
	for _, r := range diagram.PlainTo(strings.Join(strings.Fields(s), " "), 1000) {
		switch {
		case r == '@':
			b.WriteString("@<!-- -->")
			continue
		case r == '<':
			b.WriteString("&lt;")
			continue
		case strings.ContainsRune("\\`*_{}[]>()#!|&~$", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
