package commandline

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Bar draws the progress of a command on a terminal. Nil draws nothing.
type Bar struct{ bar *progressbar.ProgressBar }

// NewBar returns a bar; nil if the stream is not a terminal.
func NewBar(to io.Writer) *Bar {
	if !IsTerminal(to) {
		return nil
	}
	return DrawBar(to, 100*time.Millisecond)
}

// DrawBar returns a bar that is drawn on any stream, again after a time at the earliest. It is drawn only by Show, so that it is never in the
// middle of a line.
func DrawBar(to io.Writer, every time.Duration) *Bar {
	return &Bar{progressbar.NewOptions64(-1, progressbar.OptionSetWriter(to), progressbar.OptionShowCount(), progressbar.OptionThrottle(every),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30), progressbar.OptionSetSpinnerChangeInterval(0))}
}

// Show draws the bar. A total that is not positive is unknown.
func (b *Bar) Show(text string, total, done int64) {
	if b == nil {
		return
	}
	if total > 0 {
		b.bar.ChangeMax64(total)
	}
	b.bar.Describe(text)
	_ = b.bar.Set64(done) // an error is about the terminal, and the next output has it, too
}

// Clear removes the bar until it is shown again, for a line on the same terminal.
func (b *Bar) Clear() {
	if b != nil {
		_ = b.bar.Clear()
	}
}
