package diagram

import (
	"fmt"
	"strings"
)

// themed has the colours of a page, which are variables of its style sheet. The page can be light and dark.
var themed = palette{None: "none", Paper: "var(--paper)", Panel: "var(--panel)", Head: "var(--head)", Frame: "var(--frame)", Ink: "var(--ink)",
	Faint: "var(--faint)", Key: "var(--key)", Copy: "var(--copy)"}

// Inline renders the picture as an element of an HTML page, in the colours of the page's style sheet: the variables --paper, --panel,
// --head, --frame, --ink, --faint, --key and --copy. It has no identifiers, so a page can have several pictures.
func (p *Picture) Inline() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="diagram" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="group" aria-label="%s" font-family="Liberation Sans, Arial, Helvetica, sans-serif">`+"\n",
		number(p.Width), number(p.Height), escape(PlainText(p.Title)+": "+PlainText(p.About)))
	p.elements(&b, themed)
	return b.String()
}
