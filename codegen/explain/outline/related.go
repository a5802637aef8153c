package outline

import (
	"fmt"

	"github.com/cassaml/cassaml/codegen/explain"
)

// related returns the requests of an operation for references and copies of fields, which it sends besides those that it always sends.
func related(o *explain.Operation) (text string) {
	var changed string // the condition of the requests by which copies follow
	var adds, reads, follow, referring int
	for _, r := range o.Requests {
		switch r.Cause {
		case explain.AddsReferences:
			adds++
		case explain.AddedTarget:
			reads++
		case explain.FollowedTarget:
			text += "; 1 more read " + r.If
		case explain.FollowedChange, explain.KeptReferences:
			if changed == "" {
				changed = r.If
			}
			follow++
		case explain.Referring:
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
