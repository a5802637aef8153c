package conceptual

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cassaml/cassaml/aml/model"
)

const entityName = `("[^"]+"|[\p{L}_][\p{L}\p{N}_-]*)`

var (
	entityLine    = pattern(`^` + entityName + `(?:\[[^\]]*\])?(?::::[\w,]+)?\s*(?:(\{)\s*(.*))?$`)
	symbolLine    = pattern(`^` + entityName + `\s*(\|o|\|\||\}o|\}\|)(--|\.\.)(o\||\|\||o\{|\|\{)\s*` + entityName + `\s*(?::\s*(.*))?$`)
	wordLine      = pattern(`^` + entityName + `\s+(` + cardinalityWords + `)\s+(to|optionally to)\s+(` + cardinalityWords + `)\s+` + entityName + `\s*(?::\s*(.*))?$`)
	attributeText = pattern(`^([\p{L}][\p{L}\p{N}_-]*(?:\([0-9, ]*\))?(?:\[\])?)\s+(\*?)([\p{L}_][\p{L}\p{N}_-]*)(?:\s+((?:PK|FK|UK)\b(?:\s*,\s*(?:PK|FK|UK)\b)*))?(?:\s*"[^"]*")?(\s.*|\}.*|)$`)
	comment       = pattern(`^%%\s*aml:\s*(\w*)\s*(.*?)\s*$`)
	ignoredLine   = pattern(`^(title|accTitle|accDescr|direction|style|classDef|class)\b`)
	description   = pattern(`^accDescr\s*\{`)
)

// pattern returns a function that compiles a regular expression when it is first used: commands that read no diagram do not compile it.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// cardinalityWords are the words that Mermaid accepts instead of the symbols.
const cardinalityWords = `one or zero|zero or one|one or more|one or many|many\(1\)|1\+|zero or more|zero or many|many\(0\)|0\+|only one|1`

var cardinalities = map[string]Cardinality{
	"|o": {}, "o|": {}, "one or zero": {}, "zero or one": {},
	"||": {Min: true}, "only one": {Min: true}, "1": {Min: true},
	"}o": {Many: true}, "o{": {Many: true}, "zero or more": {Many: true}, "zero or many": {Many: true}, "many(0)": {Many: true}, "0+": {Many: true},
	"}|": {Min: true, Many: true}, "|{": {Min: true, Many: true}, "one or more": {Min: true, Many: true}, "one or many": {Min: true, Many: true},
	"many(1)": {Min: true, Many: true}, "1+": {Min: true, Many: true},
}

// Parse reads a diagram: the text of a Mermaid file, with one erDiagram.
func Parse(file, text string) (*Diagram, []Fault) {
	p := &parser{d: &Diagram{File: file}}
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	for i, line := range lines {
		p.pos = model.Pos{File: file, Line: i + 1, Col: 1 + len(line) - len(strings.TrimLeft(line, " \t"))}
		p.line(strings.TrimSpace(line))
	}
	switch {
	case p.open != nil:
		p.fault("the attributes of %s do not end: write } after them", p.open.Name)
	case !p.begun && len(p.faults) == 0:
		p.fault("there is no erDiagram: write it as the first line")
	case len(p.d.Entities) == 0 && len(p.faults) == 0:
		p.fault("the diagram has no entity: write one, such as CUSTOMER { int id PK }")
	}
	for _, n := range p.notes {
		p.pos = n.pos
		p.note(n.verb, n.text)
	}
	for _, e := range p.d.Entities {
		if !e.declared {
			p.pos = e.Pos
			p.fault("%s has no attributes: write %s { int id PK }", e.Name, e.Name)
		}
	}
	slices.SortStableFunc(p.faults, func(a, b Fault) int { return a.Pos.Line - b.Pos.Line })
	return p.d, p.faults
}

// parser reads the lines of a diagram.
type parser struct {
	d       *Diagram
	pos     model.Pos
	begun   bool    // a line that is no comment has been read
	diagram bool    // erDiagram has been read
	front   bool    // reading the front matter of Mermaid, between two lines ---
	text    bool    // reading accDescr { … }
	open    *Entity // reading its attributes
	notes   []note
	faults  []Fault
}

// note is a comment, which is read after the whole diagram.
type note struct {
	pos        model.Pos
	verb, text string
}

func (p *parser) fault(form string, args ...any) {
	p.faults = append(p.faults, Fault{p.pos, fmt.Sprintf(form, args...)})
}

func (p *parser) line(line string) {
	switch {
	case p.text:
		p.text = !strings.HasSuffix(line, "}")
	case line == "---":
		p.front = !p.front && !p.begun
	case p.front || line == "":
	case strings.HasPrefix(line, "%%"):
		if m := comment().FindStringSubmatch(line); m != nil {
			p.notes = append(p.notes, note{p.pos, m[1], m[2]})
		}
	case line == "erDiagram" && !p.begun:
		p.begun, p.diagram = true, true
	case line == "erDiagram" && p.open == nil:
		if p.diagram {
			p.fault("a file has one erDiagram: write the second one to another file")
		}
		p.diagram = true
	case !p.begun:
		p.fault("%q is not the beginning of an entity relationship diagram: write erDiagram", line)
		p.begun = true
	case p.open != nil:
		p.attributes(line)
	case description().MatchString(line):
		p.text = !strings.HasSuffix(line, "}")
	case ignoredLine().MatchString(line) && !entityLine().MatchString(line):
	default:
		p.statement(line)
	}
}

// statement reads an entity or a relationship.
func (p *parser) statement(line string) {
	if m := entityLine().FindStringSubmatch(line); m != nil {
		e := p.entity(m[1])
		switch {
		case m[2] == "":
			return
		case e.declared:
			p.fault("%s has two blocks of attributes: write one", e.Name)
		}
		e.declared, p.open = true, e
		p.attributes(m[3])
		return
	}
	if m := symbolLine().FindStringSubmatch(line); m != nil {
		p.relationship(m[1], m[2], m[3] == "--", m[4], m[5], m[6])
		return
	}
	if m := wordLine().FindStringSubmatch(line); m != nil {
		p.relationship(m[1], m[2], m[3] == "to", m[4], m[5], m[6])
		return
	}
	p.fault("%q is neither an entity, such as CUSTOMER { int id PK }, nor a relationship, such as CUSTOMER ||--o{ ORDER : places", line)
}

// entity returns the entity with a name, which is new if the name occurs for the first time.
func (p *parser) entity(name string) *Entity {
	name = strings.Trim(name, `"`)
	if e := p.d.Entity(name); e != nil {
		return e
	}
	e := &Entity{Pos: p.pos, Name: name}
	p.d.Entities = append(p.d.Entities, e)
	return e
}

func (p *parser) relationship(left, of string, identifying bool, to, right, label string) {
	p.d.Relationships = append(p.d.Relationships, &Relationship{
		Pos: p.pos, Left: p.entity(left), Right: p.entity(right), Of: cardinalities[of], To: cardinalities[to], Identifying: identifying, Label: strings.Trim(label, `" `),
	})
}

// attributes reads the attributes of the open entity in a line, which can also contain the } after them and another statement.
func (p *parser) attributes(line string) {
	for line != "" {
		if rest, ends := strings.CutPrefix(line, "}"); ends {
			p.open = nil
			p.line(strings.TrimSpace(rest))
			return
		}
		m := attributeText().FindStringSubmatch(line)
		if m == nil {
			p.invalidAttribute(line)
			return
		}
		p.attribute(m)
		line = strings.TrimSpace(m[5])
	}
}

// invalidAttribute reports the rest of a line as invalid. A } at its end still ends the entity, so that the lines after it are not reported, too.
func (p *parser) invalidAttribute(line string) {
	text, ends := strings.CutSuffix(line, "}")
	p.fault("%q is not an attribute: write its type, its name, and PK, UK or FK if it is one: string email UK", strings.TrimSpace(text))
	if ends {
		p.open = nil
	}
}

// attribute adds an attribute to the open entity.
func (p *parser) attribute(m []string) {
	if p.open.attribute(m[3]) != nil {
		p.fault("%s has two attributes %s", p.open.Name, m[3])
		return
	}
	a := &Attribute{Pos: p.pos, Type: m[1], Name: m[3], PK: m[2] != "" || strings.Contains(m[4], "PK"), UK: strings.Contains(m[4], "UK"), FK: strings.Contains(m[4], "FK")}
	if base, list := strings.CutSuffix(a.Type, "[]"); list {
		a.Type, a.Multivalued = base, true
	}
	if _, _, known := goType(a.Type); !known {
		p.fault("unknown type %s of %s: the types are %s", a.Type, a.Name, typeNames)
	}
	p.open.Attributes = append(p.open.Attributes, a)
}
