package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/internal/source"
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
)

// The fields that a method reads are found from its source. Whatever can reach the receiver otherwise counts as reading everything.
func TestReads(t *testing.T) {
	for _, c := range source.Cases(t, "testdata/reads/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			p, err := load.Load(t.Context(), c.Dir)
			require.NoError(t, err)
			m, found := model.Build(p)
			require.False(t, model.Refused(found), "%v", found)
			var lines []string
			for _, x := range p.Structs[0].Methods {
				if x.Params != 0 || len(x.Results) != 1 {
					continue
				}
				line := x.Name + ":"
				read, why := m.Aggregates[0].Reads(x)
				for _, a := range read {
					line += " " + strings.Join(a.Path, ".")
				}
				if why != "" {
					line += fmt.Sprintf(" everything: %s", why)
				}
				lines = append(lines, line)
			}
			c.Want(t, "want", strings.Join(lines, "\n"))
		})
	}
}

// A package without a path through a method is not checked a second time.
func TestReadsOnlyForMethods(t *testing.T) {
	p, err := load.Load(t.Context(), "testdata/shop")
	require.NoError(t, err)
	for _, s := range p.Structs {
		for _, m := range s.Methods {
			require.Nil(t, m.Reads, "%s.%s", s.Name, m.Name)
		}
	}
}
