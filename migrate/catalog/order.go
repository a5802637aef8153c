package catalog

import (
	"maps"

	"github.com/cassaml/cassaml/migrate"
)

// Order is the order in which a folder of migrations made the tables and columns that are there, called functions and asked
// for backfills. Its times are numbers that grow from file to file, and 0 is never. What one file makes it makes at one
// time; then come its backfills, and then the functions that it calls, each at a time of its own.
type Order struct {
	file   int // when the file at hand began
	now    int
	made   map[string]map[string]int // by tables and their columns; the table itself is the column without a name
	called map[string]int            // by the names of functions, the last time
	filled map[string]int            // by the names of tables, when the last file began that asks for it
}

// Made returns when a column was made, or, where the column is "", a table.
func (o *Order) Made(table, column string) int { return o.made[table][column] }

// Called returns when a function whose name is meant was called last.
func (o *Order) Called(meant func(name string) bool) int {
	last := 0
	for name, at := range o.called {
		if meant(name) {
			last = max(last, at)
		}
	}
	return last
}

// Filled returns when a backfill of a table was asked for last: later than all that is made by the same file.
func (o *Order) Filled(table string) int {
	if at, asked := o.filled[table]; asked {
		return at + 1
	}
	return 0
}

// FilledBehind reports whether a backfill of a table was asked for by a file behind the one that makes something at a time.
func (o *Order) FilledBehind(table string, made int) bool { return o.filled[table] > made }

// ordering is the order of a keyspace which a folder makes.
func (k *Keyspace) ordering() *Order {
	if k.Order == nil {
		k.Order = &Order{made: map[string]map[string]int{}, called: map[string]int{}, filled: map[string]int{}}
	}
	return k.Order
}

func (o *Order) clone() *Order {
	if o == nil {
		return nil
	}
	of := *o
	of.made, of.called, of.filled = map[string]map[string]int{}, maps.Clone(o.called), maps.Clone(o.filled)
	for table, columns := range o.made {
		of.made[table] = maps.Clone(columns)
	}
	return &of
}

// begin is where a file begins.
func (o *Order) begin(f migrate.File) {
	o.file = o.now + 1
	o.now = o.file + 1 // which is when its backfills are asked for
	for _, d := range f.Directives {
		if d.Verb == "backfill" {
			o.filled[d.Argument] = o.file
		}
	}
}

func (o *Order) call(name string) {
	o.now++
	o.called[name] = o.now
}

// follow notes what a statement, which has been executed, has made or taken away.
func (o *Order) follow(k *Keyspace, s Statement) {
	switch s := s.(type) {
	case *CreateTable:
		o.follows(k, s.Table.Name)
	case *AddColumns:
		o.follows(k, s.Table)
	case *DropColumns:
		o.follows(k, s.Table)
	case *DropTable:
		o.follows(k, s.Name)
	case *RenameColumns:
		at := map[string]int{}
		for from, to := range lastNames(s.Names) {
			at[to] = o.Made(s.Table, from)
		}
		o.follows(k, s.Table)
		for name, made := range at {
			if made > 0 {
				o.made[s.Table][name] = made
			}
		}
	}
}

// follows makes what is known of a table agree with what is there.
func (o *Order) follows(k *Keyspace, table string) {
	t := k.Table(table)
	if t == nil {
		delete(o.made, table)
		return
	}
	names := []string{""}
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	made := map[string]int{}
	for _, name := range names {
		at, known := o.made[table][name]
		if !known {
			at = o.file
		}
		made[name] = at
	}
	o.made[table] = made
}
