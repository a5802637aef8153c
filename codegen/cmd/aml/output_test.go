package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// full is the output of a full disk, after some bytes.
type full struct{ left int }

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	if n := f.left; n < len(p) {
		f.left = 0
		return n, errFull
	}
	f.left -= len(p)
	return len(p), nil
}

// No command succeeds if its output has not been written completely, and each prints the reason.
func TestOutputOnAFullDisk(t *testing.T) {
	const shop = "../../../examples/quickstart/shop"
	for _, line := range []string{
		"version", "-help", "help diff", "completion bash", "explain " + shop, "explain -json " + shop, "estimate " + shop, "diagram " + shop, "alternatives Customer.Vehicles " + shop,
		"diagram -notation mermaid " + shop,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(line)
			var whole, stderr bytes.Buffer
			require.Zero(t, run(t.Context(), args, &whole, &stderr), stderr.String())
			require.NotEmpty(t, whole.String())
			for _, left := range []int{0, whole.Len() - 1} {
				stderr.Reset()
				require.Equal(t, 1, run(t.Context(), args, &full{left}, &stderr))
				require.Contains(t, stderr.String(), errFull.Error())
			}
		})
	}
}
