package codegen

import "github.com/cassaml/cassaml/aml/schema"

// counters sets the statements of a table of counters, and the type of the argument of its Add.
func (b *viewer) counters(v *tableView, name string) {
	of := v.source.Aggregate.Struct
	b.statement(v, name+"Add", v.Descriptor.value.Add, of)
	b.statement(v, name+"Delete", v.Descriptor.value.Delete, of)
	b.selects(v, name, of)
	v.Counters = &countersView{Type: b.names.exported(name+"Delta", of)}
	for _, c := range v.source.Counters() {
		field := c.Attribute.GoName()
		b.names.distinct(of, v.Counters.Type, v.Counters.Fields, field)
		v.Counters.Fields = append(v.Counters.Fields, field)
	}
}

// documentCounters sets the comments of a table of counters.
func (v *tableView) documentCounters() {
	c := v.Counters
	c.Doc = doc("%s is what Add adds to each counter of one %s; a counter with 0 stays as it is.", c.Type, v.Struct)
	v.Doc = doc("%s reads %s, adds to its counters and deletes its rows. Writes return a *mapper.ConstraintError for a key that Cassandra cannot store, and an "+
		"error for mapper.Options.TTL and Options.Timestamp, before anything is sent, and a *mapper.UnknownOutcomeError if the outcome is unknown.", v.Type, v.Name)
	c.Add = doc("Add adds %s to the counters of one row in one statement, and creates the row if it does not exist. If all fields of %s are 0, nothing is sent. It "+
		"is not repeated after an unknown outcome, and is not safe to repeat then: it could add twice. A counter that leaves the range of int64 wraps around.",
		c.Param, c.Param)
	static := ""
	if len(v.regular()) < len(c.Fields) {
		static = "Static counters, which belong to the partition, stay. "
	}
	v.Methods.Delete = doc("Delete deletes the counters of one row in one statement. %sIt is final: do not add to the row again, because the server can then continue "+
		"from the deleted values. It is not an error if the row does not exist.", static)
}

// regular returns the counters of a row, without the counters of a partition.
func (v *tableView) regular() (out []*schema.Column) {
	for _, c := range v.source.Counters() {
		if c.Kind == schema.Regular {
			out = append(out, c)
		}
	}
	return out
}
