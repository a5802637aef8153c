package codegen

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// The values of Config.Driver.
const (
	Gocql  = "gocql"  // github.com/gocql/gocql, through gocqlx; the default
	Apache = "apache" // github.com/apache/cassandra-gocql-driver/v2
)

// driver is what a store knows of the driver of its sessions.
type driver struct {
	Adapter  string // the package below mapper/driver
	Session  string // the type of a session
	Recorded string // the second line of the generated file; "" for the default
	Metadata bool   // the store describes its tables to gocqlx

	path    string   // the driver's import path
	imports []Import // used by the templates
}

var drivers = map[string]*driver{
	Gocql: {Adapter: "gocqldriver", Session: "gocqlx.Session", Metadata: true, path: gocqlPath, imports: []Import{
		{"gocqlx", "github.com/scylladb/gocqlx/v2"}, {"gocqldriver", module + "/mapper/driver/gocqldriver"},
	}},
	Apache: {Adapter: "apachedriver", Session: "*gocql.Session", Recorded: RecordedApache, path: apachePath, imports: []Import{
		{"gocql", apachePath}, {"apachedriver", module + "/mapper/driver/apachedriver"},
	}},
}

// RecordedApache is the second line of a store for Apache's driver.
const RecordedApache = "// Its sessions are those of Apache's driver: aml generate -driver apache"

// recordedModel begins the line of a store that is not in the package of its model. The import path of the model follows.
const recordedModel = "// Its model is in package "

// Adapter returns the package of a driver below mapper/driver. The driver is a value of Config.Driver.
func Adapter(driver string) string { return drivers[driver].Adapter }

// findDriver returns the driver of a configuration.
func findDriver(c Config) (*driver, error) {
	name := c.Driver
	if name == "" {
		name = Gocql
	}
	d := drivers[name]
	if d == nil {
		return nil, fmt.Errorf("codegen: there is no driver %q: use %s or %s", name, Gocql, Apache)
	}
	return d, nil
}

// OtherDriver returns a diagnostic for each attribute whose type is of the other driver, or converts its values for it: the program would link
// both.
func OtherDriver(m *model.Model, c Config) ([]model.Diagnostic, error) {
	own, err := findDriver(c)
	if err != nil {
		return nil, err
	}
	other := drivers[Apache]
	if own == other {
		other = drivers[Gocql]
	}
	var out []model.Diagnostic
	check := func(all []*model.Attribute) {
		for _, a := range all {
			if what := foreign(a.Type, other); what != "" && !a.Hidden() {
				out = append(out, model.Diagnostic{
					Pos: a.Pos, Rule: model.RuleUnsupportedType,
					What: fmt.Sprintf("%s of %s, and the sessions of the store are those of %s", what, other.path, own.path),
					Fix:  fmt.Sprintf("import gocql %q, or generate with the other -driver", own.path),
				})
			}
		}
	}
	for _, a := range m.Aggregates {
		check(a.Attributes)
	}
	for _, o := range m.Objects {
		check(o.Attributes)
	}
	return slices.Compact(model.Sorted(out)), nil
}

// foreign describes a type of a driver, or one that converts its values for it, in a type, its elements and members; "" if there is none.
func foreign(t *model.Type, d *driver) string {
	if t == nil {
		return ""
	}
	if what := foreignGo(t.Go, d); what != "" {
		return what
	}
	if t.Conversion == model.ByCQL {
		for i, method := range []string{"MarshalCQL", "UnmarshalCQL"} {
			if t.Go.CQLInfo[i] == d.path {
				return method + " of " + t.Go.Text + " takes a type"
			}
		}
	}
	for _, part := range append([]*model.Type{t.Elem, t.Key}, t.Members...) {
		if what := foreign(part, d); what != "" {
			return what
		}
	}
	return ""
}

// foreignGo describes a type of a driver, one that is defined over it, and one with it as a type argument.
func foreignGo(g *model.GoType, d *driver) string {
	switch {
	case g == nil || g.Named == nil:
	case g.Named.Path == d.path:
		return g.Text + " is a type"
	case slices.Contains(g.Over, d.path):
		return g.Text + " is defined over a type"
	default:
		for _, arg := range g.Named.Args {
			if foreignGo(arg, d) != "" {
				return g.Text + " has a type argument"
			}
		}
	}
	return ""
}
