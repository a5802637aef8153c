package report

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cassaml/cassaml/integration/bench/measure"
)

// Replace replaces the text between two comments of a page in Markdown, <!-- name --> and <!-- /name -->. The rest of the
// page is not changed.
func Replace(path, name, text string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	from, to := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	before, rest, begins := strings.Cut(string(page), from)
	_, after, ends := strings.Cut(rest, to)
	if !begins || !ends {
		return fmt.Errorf("report: %s lacks the lines %s and %s around the figures of %[4]s", path, strings.TrimSpace(from), strings.TrimSpace(to), name)
	}
	if err := os.WriteFile(path, []byte(before+from+text+to+after), 0o644); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// Go writes the rounds in the format of Go benchmarks, a line for each, for comparison with benchstat:
//
//	benchstat -col .file old.txt new.txt
//	benchstat -col /variant codec.txt
func Go(w io.Writer, m Machine, series []measure.Series) error {
	if _, err := fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: github.com/cassaml/cassaml/integration/bench\ncpu: %s\n", m.OS, m.Arch, m.CPU); err != nil {
		return err
	}
	for _, s := range series {
		for _, r := range s.Rounds {
			_, err := fmt.Fprintf(w, "BenchmarkCodec/work=%s/variant=%s %d %.4g ns/op %.0f B/op %.4g allocs/op\n",
				s.Work, s.Variant, r.Ops, r.NSPerOp(), r.BytesPerOp(), r.AllocsPerOp())
			if err != nil {
				return err
			}
		}
	}
	return nil
}
