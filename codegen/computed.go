package codegen

import (
	"strconv"
	"strings"
)

// compute asks for the function that calls the methods which redundant tables are made with, and writes their results
// behind the columns.
func (b *viewer) compute(v *tableView) {
	methods := v.source.Computed
	if len(methods) == 0 {
		return
	}
	var names []string
	for _, m := range methods {
		names = append(names, strconv.Quote(m.Method().Name+"()"))
	}
	v.Computed = strings.Join(names, ", ")
	s := v.source.Aggregate.Struct
	v.Compute = b.codecs.ask("compute "+s.Name, "compute"+b.codecs.structName(s), s, func(name string) Function {
		f := Function{Signature: name + "(e *gen.Encoder, v *" + b.imports.structType(s) + ")"}
		for i, m := range methods {
			result := "r" + strconv.Itoa(i) // a variable, because encoding may need its address
			f.Body = append(f.Body, result+" := v."+m.Method().Name+"()", b.codecs.encode("e", m.Type, result, s))
		}
		return f
	})
}
