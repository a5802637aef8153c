package reconcilecmd

import (
	"bytes"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
)

// The error of each attempt that has failed is a line, and the bar shows how many roots were served.
func TestFanOutPrintsErrors(t *testing.T) {
	var bar, errs bytes.Buffer
	c := &cobra.Command{}
	c.SetErr(&errs)
	o := &output{c: c, bar: commandline.DrawBar(&bar, 0)}
	for _, p := range []program.FanOutProgress{{Served: 1}, {Served: 1, Failed: 1, Err: "mapper: a"}, {Served: 2, Failed: 1, Err: "mapper: a"}, {Served: 2, Failed: 2, Err: "mapper: b"}} {
		require.NoError(t, o.print(program.Event{FannedOut: &p}))
	}
	require.Contains(t, bar.String(), "attempts that failed 2, roots served")
	o.finish()
	require.Equal(t, "mapper: a\nmapper: b\n", errs.String())
	require.Equal(t, program.FanOutProgress{Served: 2, Failed: 2, Err: "mapper: b"}, o.fan)
}
