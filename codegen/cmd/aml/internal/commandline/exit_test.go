package commandline

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An error is printed unless the command has printed it, and can have an exit code of its own.
func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err     error
		code    int
		printed string
	}{
		{nil, 0, ""},
		{errors.New("a fault"), 1, "a fault\n"},
		{ErrPrinted, 1, ""},
		{&ExitError{Code: 3, Err: errors.New("drift is left")}, 3, "drift is left\n"},
		{fmt.Errorf("incomplete: %w", &ExitError{Code: 3, Err: ErrPrinted}), 3, ""},
	} {
		var stderr strings.Builder
		require.Equal(t, c.code, exitCode(t.Context(), c.err, &stderr), "%v", c.err)
		require.Equal(t, c.printed, stderr.String())
	}
}
