package reconcilecmd

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/server"
)

// reconciliation is the command line of aml reconcile.
type reconciliation struct {
	codegen.Config
	program.Request // has no connection yet

	place   *modelfolder.Store
	server  server.Connection
	ttl     map[string]string
	refill  string
	restamp string
	above   string
	yes     bool
	json    bool
}

// addOptions adds the flags that are not about the connection.
func (r *reconciliation) addOptions(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&r.DryRun, "dry-run", false, "only report what differs")
	f.StringSliceVar(&r.Tables, "tables", nil, "the tables of the roots, table,…; by default all")
	f.DurationVar(&r.Grace, "grace", 10*time.Minute, "how long ago a row must have been written to be repaired")
	f.IntVar(&r.Parallel, "parallel", 4, "the number of slices that are read at a time")
	f.IntVar(&r.Rate, "rate", 0, "rows read per second by this process; 0: no limit")
	f.StringVar(&r.Job, "job", "", "the name of a run that several processes carry out together; each run needs a new name")
	f.IntVar(&r.Slices, "slices", 256, "the number of slices of the token ring")
	f.StringVar(&r.refill, "refill", "", "empty this redundant table and write it again")
	f.BoolVar(&r.yes, "yes", false, "refill without asking")
	f.StringVar(&r.restamp, "restamp", "", "write this row again with a later write time: 'TABLE WHERE CONDITION'")
	f.StringVar(&r.above, "above", "", "the time that the new write time must exceed: RFC 3339, or microseconds since 1970")
	r.addStoreOptions(c)
	jsonline.Option(c, &r.json)
}

// addStoreOptions adds the flags about the store of the model.
func (r *reconciliation) addStoreOptions(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&r.LocalSerial, "local-serial", false, "use LOCAL_SERIAL, if mapper.Config.SerialConsistency of the services is LOCAL_SERIAL")
	f.StringToStringVar(&r.ttl, "ttl", nil, "mapper.Config.TTL of the services, for ttl=$name: name=duration,…")
	modelfolder.PrefixOption(c, &r.Config)
}

// comparing are the options of a comparison of tables, which -refill and -restamp do not have.
var comparing = []string{"dry-run", "tables", "grace", "parallel", "rate", "job", "slices"}

// check returns an error for options that are invalid or contradict each other.
func (r *reconciliation) check(c *cobra.Command) error {
	set := c.Flags().Changed
	var bad []error
	if set("refill") && set("restamp") {
		bad = append(bad, errors.New("-refill and -restamp exclude each other: run one after the other"))
	}
	for _, with := range []string{"refill", "restamp"} {
		for _, name := range comparing {
			if set(with) && set(name) {
				bad = append(bad, fmt.Errorf("-%s is for a comparison of tables: leave it out, or leave out -%s", name, with))
			}
		}
	}
	if set("above") && !set("restamp") {
		bad = append(bad, errors.New("-above is for -restamp 'TABLE WHERE CONDITION': add it, or leave -above out"))
	}
	if set("yes") && !set("refill") {
		bad = append(bad, errors.New("-yes is for -refill TABLE: add it, or leave -yes out"))
	}
	bad = append(bad, r.checkValues(c), r.server.CheckKeyspace(), r.server.CheckTimeout())
	return errors.Join(bad...)
}

// setTTL parses the option -ttl, which has the TTLs of the configuration of the services.
func (r *reconciliation) setTTL() error {
	r.TTL = map[string]time.Duration{}
	for name, text := range r.ttl {
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("-ttl %s=%s: write a duration like 48h", name, text)
		}
		r.TTL[name] = d
	}
	return nil
}

// checkValues returns an error for values that are out of range, and for empty names.
func (r *reconciliation) checkValues(c *cobra.Command) error {
	var bad []error
	for _, name := range []string{"tables", "job", "refill", "restamp", "above"} {
		if f := c.Flags().Lookup(name); f.Changed && strings.Trim(f.Value.String(), "[]") == "" {
			bad = append(bad, fmt.Errorf("-%s is empty: add a value, or leave it out", name))
		}
	}
	if err := r.setTTL(); err != nil {
		bad = append(bad, err)
	}
	if r.Grace < time.Minute {
		bad = append(bad, fmt.Errorf("-grace %v: use 1m or more, because the servers can complete a write after this time", r.Grace))
	}
	for _, n := range []struct {
		name         string
		value, least int
	}{{"parallel", r.Parallel, 1}, {"rate", r.Rate, 0}, {"slices", r.Slices, 1}} {
		bad = append(bad, atLeast(n.name, n.value, n.least))
	}
	return errors.Join(bad...)
}

// atLeast returns an error if the value of an option is too small.
func atLeast(name string, value, least int) error {
	if value < least {
		return fmt.Errorf("-%s %d: use %d or more", name, value, least)
	}
	return nil
}
