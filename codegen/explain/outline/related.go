package outline

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/codegen/explain"
)

// related returns the requests of an operation for references and copies of fields, which it sends besides those that it always sends.
func related(o *explain.Operation) (text string) {
	var changed string // the condition of the requests by which copies follow
	var adds, reads, follow, referring int
	for _, r := range o.Requests {
		switch {
		case strings.HasPrefix(r.If, "if the save adds references"):
			adds++
		case strings.HasSuffix(r.If, " of an added reference"):
			reads++
		case strings.HasSuffix(r.If, " whose fields the row has"):
			text += "; 1 more read " + r.If
		case strings.HasSuffix(r.If, ": it is saved if its fields are older"), strings.HasPrefix(r.If, "for each of the "):
		case strings.Contains(r.If, " of an existing row changes"), strings.HasPrefix(r.If, "because other roots can still refer"):
			if changed == "" {
				changed = r.If
			}
			follow++
		case strings.HasPrefix(o.Name, "Delete") && strings.HasPrefix(r.If, "for each row of "):
			referring++
		}
	}
	if adds > 0 {
		text += fmt.Sprintf("; %d more if it adds references", adds)
	}
	if reads > 0 {
		text += ", and 1 read of the root of each"
	}
	if follow > 0 {
		text += fmt.Sprintf("; %d more %s, and 1 read and 1 save of each root that follows", follow, changed)
	}
	if referring > 0 {
		text += "; 1 more read of each root that refers to the row"
	}
	return text
}
