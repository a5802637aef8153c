package schema

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/statement"
)

// CQL renders the whole schema, each statement ended by a semicolon.
func (s *Schema) CQL() string {
	return strings.Join(s.Statements(), ";\n\n") + ";\n"
}

// Statements renders the schema as single statements without a semicolon, in an order that can be executed.
func (s *Schema) Statements() []string {
	var out []string
	for _, u := range s.Types {
		out = append(out, u.CQL())
	}
	for _, t := range s.Tables {
		out = append(out, t.CQL())
		for _, i := range t.Indexes {
			out = append(out, i.CQL(t))
		}
	}
	return out
}

// CQL renders CREATE TYPE.
func (u *UDT) CQL() string {
	var lines []string
	for _, f := range u.Fields {
		lines = append(lines, "    "+model.Quote(f.Name)+" "+f.Type.String())
	}
	return "CREATE TYPE IF NOT EXISTS " + model.Quote(u.Name) + " (\n" + strings.Join(lines, ",\n") + "\n)"
}

// CQL renders CREATE TABLE.
func (t *Table) CQL() string {
	single := len(t.PartitionKey) == 1 && len(t.ClusteringKey) == 0
	var lines []string
	for _, c := range t.Columns {
		line := "    " + model.Quote(c.Name) + " " + c.Type.String()
		if single && c.Kind == PartitionKey {
			line += " PRIMARY KEY"
		} else if c.Kind == Static {
			line += " STATIC"
		}
		lines = append(lines, line)
	}
	if !single {
		lines = append(lines, "    PRIMARY KEY ("+t.primaryKey()+")")
	}
	return "CREATE TABLE IF NOT EXISTS " + model.Quote(t.Name) + " (\n" + strings.Join(lines, ",\n") + "\n)" + t.with()
}

func (t *Table) primaryKey() string {
	key := strings.Join(Names(t.PartitionKey), ", ")
	if len(t.PartitionKey) > 1 {
		key = "(" + key + ")"
	}
	return strings.Join(append([]string{key}, Names(t.ClusteringKey)...), ", ")
}

// with renders the clustering order, if it is not the default, and the properties.
func (t *Table) with() string {
	var out []string
	if o := t.order(); o != "" {
		out = append(out, "CLUSTERING ORDER BY ("+o+")")
	}
	for _, p := range t.Properties {
		if p.Name == "" {
			out = append(out, p.Value)
		} else {
			out = append(out, p.Name+" = "+p.Value)
		}
	}
	if out == nil {
		return ""
	}
	return " WITH " + strings.Join(out, "\n    AND ")
}

// order renders the clustering order; "" if all columns are ascending.
func (t *Table) order() string {
	var out []string
	descending := false
	for _, c := range t.ClusteringKey {
		out = append(out, model.Quote(c.Name)+" "+direction(c.Order))
		descending = descending || c.Order == model.Descending
	}
	if !descending {
		return ""
	}
	return strings.Join(out, ", ")
}

func direction(o model.Order) string {
	if o == model.Descending {
		return "DESC"
	}
	return "ASC"
}

// SelectPartition renders the read of all rows of a partition.
func (t *Table) SelectPartition() string { return t.Select() + " WHERE " + where(t.PartitionKey) }

func where(key []*Column) string { return strings.Join(Names(key), " = ? AND ") + " = ?" }

// Insert renders the INSERT of all columns of a table, with a timestamp and a TTL.
func (t *Table) Insert() string {
	return t.insert(t.Ordered())
}

func (t *Table) insert(columns []*Column) string {
	return statement.Insert(model.Quote(t.Name), Names(columns)...)
}

// Rewrite renders the INSERT of a change of some columns of a row: of the key and a single cell, or of all columns.
func (t *Table) Rewrite(columns ...*Column) string {
	key := t.Key()
	if statement.One(len(columns), len(t.Ordered())-len(key), len(columns) == 1 && !columns[0].Type.MultiCell()) {
		return t.insert(append(key, columns...))
	}
	return t.Insert()
}

// InsertNew renders the conditional INSERT of all columns of a table; of a versioned root whose rows expire only of the columns that are kept.
func (t *Table) InsertNew() string {
	if t.IsLease() {
		return statement.InsertNew(model.Quote(t.Name), Names(slices.Concat(t.Key(), t.kept(nil)))...) + " USING TTL ?"
	}
	return statement.InsertNew(model.Quote(t.Name), Names(t.Ordered())...)
}

// Save renders the UPDATE of all columns outside the key of a versioned root, if the row has a certain version. If rows expire, it is the
// UPDATE of the columns that are kept.
func (t *Table) Save() string { return t.save(nil, nil) }

// SaveLive renders Save of a row that is not deleted. If rows expire, it also requires that the row has not.
func (t *Table) SaveLive() string { return t.Save() + t.AndLive() }

// AndLive renders the condition that a row has not expired; "" if rows do not expire.
func (t *Table) AndLive() string {
	if !t.IsLease() {
		return ""
	}
	return " AND " + model.Quote(Live) + " = ?"
}

// save renders Save, except for one column, with more assignments.
func (t *Table) save(but *Column, more []string) string {
	if t.IsLease() {
		return t.updateUsing("USING TTL ? ", t.kept(but), more, t.Versioning.Version)
	}
	return t.updateIf(t.nonKeyColumns(but), more, t.Versioning.Version)
}

// SaveValues renders the second statement of a save of a versioned root whose rows expire: the UPDATE of the columns that expire. It returns
// "" for any other root.
func (t *Table) SaveValues() string {
	if !t.IsLease() {
		return ""
	}
	kept := t.kept(nil)
	expiring := slices.DeleteFunc(t.nonKeyColumns(nil), func(c *Column) bool { return slices.Contains(kept, c) })
	return "UPDATE " + model.Quote(t.Name) + " USING TTL ? SET " + strings.Join(Names(expiring), " = ?, ") + " = ? WHERE " + where(t.Key())
}

// IsLease reports whether the table has the rows of a versioned root that expire.
func (t *Table) IsLease() bool { return t.Versioning != nil && t.Versioning.Live != nil }

// kept returns the columns outside the key that outlive the values of an expired row, except for one: the version and the hidden columns.
func (t *Table) kept(but *Column) []*Column {
	v := t.Versioning
	return slices.DeleteFunc(t.nonKeyColumns(but), func(c *Column) bool { return c != v.Version && c.Attribute != nil || c == v.Live })
}

// SaveChange renders the UPDATE of all columns outside the key of a versioned root, in which the pending rows are not set: some are
// added and others are removed. It returns "" if the root has no pending rows.
func (t *Table) SaveChange() string {
	if t.Versioning.Pending == nil {
		return ""
	}
	name := t.Versioning.Pending.Name
	return t.save(t.Versioning.Pending, []string{name + " = " + name + " + ?", name + " = " + name + " - ?"})
}

// Claim renders the UPDATE of a reservation, if it has not changed.
func (t *Table) Claim() string {
	own := t.nonKeyColumns(nil)
	return t.updateIf(own, nil, own...)
}

// Raise renders the UPDATE of the floor of a reservation, its last column, if the reservation has not changed.
func (t *Table) Raise() string {
	own := t.nonKeyColumns(nil)
	return t.updateIf(own[len(own)-1:], nil, own...)
}

// nonKeyColumns returns the columns outside the key, except for one.
func (t *Table) nonKeyColumns(but *Column) []*Column {
	return slices.DeleteFunc(t.Ordered()[len(t.Key()):], func(c *Column) bool { return c == but })
}

// updateIf renders an UPDATE of some columns that is carried out if others have certain values.
func (t *Table) updateIf(set []*Column, more []string, on ...*Column) string {
	return t.updateUsing("", set, more, on...)
}

// updateUsing renders updateIf with a USING clause.
func (t *Table) updateUsing(using string, set []*Column, more []string, on ...*Column) string {
	var assignments []string
	for _, n := range Names(set) {
		assignments = append(assignments, n+" = ?")
	}
	return "UPDATE " + model.Quote(t.Name) + " " + using + "SET " + strings.Join(append(assignments, more...), ", ") + " WHERE " + where(t.Key()) + " IF " + where(on)
}

// InsertStatic renders the INSERT of all static columns of a partition; "" for a table without static columns.
func (t *Table) InsertStatic() string {
	columns := slices.Clone(t.PartitionKey)
	for _, c := range t.Ordered() {
		if c.Kind == Static {
			columns = append(columns, c)
		}
	}
	if len(columns) == len(t.PartitionKey) {
		return ""
	}
	return t.insert(columns)
}

// Delete renders the deletion of one row.
func (t *Table) Delete() string {
	return t.DeleteRange(len(t.Key()))
}

// DeleteRange renders the deletion of all rows with the same first n columns of the key.
func (t *Table) DeleteRange(n int) string {
	return "DELETE FROM " + model.Quote(t.Name) + " USING TIMESTAMP ? WHERE " + where(t.Key()[:n])
}

// DeleteSlice renders the deletion of all rows with the same first columns of the key, as many as given, whose next columns, compared of
// them, are on one side of some values.
func (t *Table) DeleteSlice(given, compared int, operator string) string {
	text := t.DeleteRange(given)
	if compared > 0 {
		text += " AND " + statement.Slice(Names(t.Key()[given:given+compared]), operator)
	}
	return text
}

// Select renders the read of all columns, by name, without a restriction.
func (t *Table) Select() string {
	return "SELECT " + strings.Join(Names(t.Ordered()), ", ") + " FROM " + model.Quote(t.Name)
}

// SelectKeys renders the read of the keys of rows, without restrictions: the primary key and, of a versioned root, whether the row is
// deleted.
func (t *Table) SelectKeys() string {
	names := Names(t.Key())
	if column := t.deletion(); column != "" {
		names = append(names, column)
	}
	return "SELECT " + strings.Join(names, ", ") + " FROM " + model.Quote(t.Name)
}

// KeepsDeleted reports whether the table keeps rows of deleted roots, which readers leave out.
func (t *Table) KeepsDeleted() bool { return t.deletion() != "" }

// deletion returns the hidden column that shows whether a row is deleted: [Live] if the table has it, or [Deleted]; "" for a table that keeps
// no rows of deleted roots.
func (t *Table) deletion() (name string) {
	for _, c := range t.Columns {
		if c.Attribute == nil && (c.Name == Live || c.Name == Deleted && name == "") {
			name = c.Name
		}
	}
	return name
}

// SelectStatics renders the read of the static columns of one partition; "" for a table without any.
func (t *Table) SelectStatics() string {
	names := Names(t.PartitionKey)
	for _, c := range t.Visible() {
		if c.Kind == Static {
			names = append(names, model.Quote(c.Name))
		}
	}
	if len(names) == len(t.PartitionKey) {
		return ""
	}
	return "SELECT DISTINCT " + strings.Join(names, ", ") + " FROM " + model.Quote(t.Name) + " WHERE " + where(t.PartitionKey)
}

// Get renders the read of one row by its whole key.
func (t *Table) Get() string {
	return t.Select() + " WHERE " + where(t.Key()) + t.perPartition()
}

// remaining returns the column whose remaining TTL a field of the root shows; nil for a table without such a field.
func (t *Table) remaining() *Column {
	if t.Aggregate == nil || t.Aggregate.Remaining == nil {
		return nil
	}
	if t.IsLease() {
		return t.Versioning.Live
	}
	return t.Columns[slices.IndexFunc(t.Columns, func(c *Column) bool { return c.Attribute == t.Aggregate.Remaining.Of })]
}

// Shown returns a SELECT of all columns as a store sends it for a caller: with the remaining TTL that a field of the root shows.
func (t *Table) Shown(cql string) string {
	if c := t.Remaining; c != nil {
		return selectTTLs(cql, c)
	}
	return cql
}

// ShownState returns Get of a versioned root as a store sends it before a save: with the remaining TTLs, if a field of the root shows one.
func (t *Table) ShownState() string {
	if c := t.Remaining; c != nil {
		return selectTTLs(t.Get(), c, t.Versioning.Version)
	}
	return t.Get()
}

// selectTTLs adds the remaining TTLs of columns to a SELECT.
func selectTTLs(cql string, columns ...*Column) string {
	names, rest, _ := strings.Cut(cql, " FROM ")
	for _, c := range columns {
		names += ", " + statement.TTL(model.Quote(c.Name))
	}
	return names + " FROM " + rest
}

// Load renders the read of one row with the latest write time of each column outside the key.
func (t *Table) Load() string { return t.selectWritten() + where(t.Key()) + t.perPartition() }

// LoadPartition renders the same read of all rows of a partition.
func (t *Table) LoadPartition() string { return t.selectWritten() + where(t.PartitionKey) }

func (t *Table) selectWritten() string {
	names := Names(t.Ordered())
	for _, c := range t.timed() {
		names = append(names, statement.Latest(model.Quote(c.Name), !c.Type.MultiCell()))
	}
	return "SELECT " + strings.Join(names, ", ") + " FROM " + model.Quote(t.Name) + " WHERE "
}

// timed returns the columns whose write times are read: those outside the key, without the pending rows of a versioned root.
func (t *Table) timed() []*Column {
	return slices.DeleteFunc(t.Ordered()[len(t.Key()):], func(c *Column) bool { return c.Attribute == nil && c.Name == pending })
}

// Stamped renders the read of the rows of one partition with their write times and remaining TTLs.
func (t *Table) Stamped() string {
	times := statement.Stamps(Names(t.timed())...)
	return statement.Positioned(model.Quote(t.Name), Names(t.Ordered()), len(t.PartitionKey), times...) + " WHERE " + where(t.PartitionKey)
}

// Slice renders the read of all rows whose partitions are in a slice of the token ring.
func (t *Table) Slice() string {
	all, key := Names(t.Ordered()), Names(t.PartitionKey)
	token := statement.Token(key)
	var ttl []string
	if c := t.Remaining; c != nil {
		ttl = []string{statement.TTL(model.Quote(c.Name))}
	}
	return statement.Positioned(model.Quote(t.Name), all, len(key), ttl...) + " WHERE " + token + " > ? AND " + token + " <= ?" + t.perPartition()
}

// SelectAll renders the read of all rows.
func (t *Table) SelectAll() string { return t.Select() + t.perPartition() }

// Reversed renders the reverse of the clustering order; "" without a clustering key.
func (t *Table) Reversed() string {
	var out []string
	for _, c := range t.ClusteringKey {
		out = append(out, model.Quote(c.Name)+" "+direction(model.Descending-c.Order))
	}
	if out == nil {
		return ""
	}
	return " ORDER BY " + strings.Join(out, ", ")
}

// Update renders the change of single cells of a column of several cells: the added and removed entries of a map or set, or the
// fields of a UDT. It returns "" for any other column.
func (t *Table) Update(c *Column, s *Schema) string {
	name, set := model.Quote(c.Name), ""
	switch {
	case !c.Type.MultiCell() || c.Type.Name == "list" && !c.Type.UDT:
		return ""
	case c.Type.UDT:
		set = strings.Join(s.assignments(c), ", ")
	default:
		set = name + " = " + name + " + ?, " + name + " = " + name + " - ?"
	}
	key := t.Key()
	if c.Kind == Static {
		key = t.PartitionKey
	}
	return "UPDATE " + model.Quote(t.Name) + " USING TIMESTAMP ? AND TTL ? SET " + set + " WHERE " + where(key)
}

// assignments renders the assignment of each field of a UDT: home.city = ?. A tuple is a literal of its members, because the driver
// cannot bind the marker of a tuple.
func (s *Schema) assignments(c *Column) (out []string) {
	for _, f := range s.udt(c.Type.Name).Fields {
		out = append(out, model.Quote(c.Name)+"."+model.Quote(f.Name)+" = "+f.Type.marker())
	}
	return out
}

// marker renders the marker of a value.
func (t *Type) marker() string {
	if t.Name != "tuple" || t.UDT {
		return "?"
	}
	var members []string
	for _, m := range t.Args {
		members = append(members, m.marker())
	}
	return "(" + strings.Join(members, ", ") + ")"
}

// Assign returns the assignments of the fields of a UDT that is not frozen if one of them is a tuple, and nil otherwise.
func (t *Table) Assign(c *Column, s *Schema) []string {
	if !c.Type.UDT || !c.Type.MultiCell() {
		return nil
	}
	out := s.assignments(c)
	if !slices.ContainsFunc(out, func(a string) bool { return !strings.HasSuffix(a, " = ?") }) {
		return nil
	}
	return out
}

// Extend renders the UPDATE that adds elements to a list that is not frozen: with front at its beginning, otherwise at its end.
func (t *Table) Extend(c *Column, front bool) string {
	key := t.Key()
	if c.Kind == Static {
		key = t.PartitionKey
	}
	return statement.Extend(model.Quote(t.Name), model.Quote(c.Name), front, Names(key)...)
}

func (s *Schema) udt(name string) *UDT {
	for _, u := range s.Types {
		if u.Name == name {
			return u
		}
	}
	return nil
}

// perPartition returns the clause that a read of static columns needs; "" for any other table.
func (t *Table) perPartition() string {
	if t.Statics {
		return statement.OnePerPartition
	}
	return ""
}
