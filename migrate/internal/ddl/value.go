package ddl

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/internal/lex"
)

// value takes the value of a property.
func (p *parser) value() property.Value {
	v, err := property.Read(&p.Reader)
	if err != nil {
		p.Fail(err.Error())
	}
	return v
}

// ParseProperties reads the properties after WITH.
func ParseProperties(cql string) (map[string]property.Value, error) {
	p := &parser{Reader: lex.Reader{Words: lex.Words(cql)}}
	w := p.with(true)
	if p.Peek().Text != "" {
		p.Fail("AND or the end of the properties is missing")
	}
	if p.Err != nil {
		return nil, fmt.Errorf("%s: %s", cql, p.Err.Reason)
	}
	return w.properties, nil
}

// checkPercentile refuses a percentile that the server would store as 0p or 100p, with which it cannot start again. The server checks all other
// values.
func (p *parser) checkPercentile(name string, v property.Value, at int) {
	if name != "speculative_retry" && name != "additional_write_policy" {
		return
	}
	for _, f := range property.Check(name, v) {
		if !f.Local {
			p.FailAt(at, f.What)
		}
	}
}
