package catalog

import "github.com/cassaml/cassaml/aml/model/property"

// judge refuses a percentile that the server would write down as 0p or 100p, with which it cannot start again. What else a
// property can be is for the server to decide.
func (p *parser) judge(name string, v value, at int) {
	if name != "speculative_retry" && name != "additional_write_policy" {
		return
	}
	for _, f := range property.Judge(name, property.Value{Text: v.text, Entries: v.entries}) {
		if !f.Local {
			p.failAt(at, f.What)
		}
	}
}
