package report

import (
	"fmt"
	"io"

	"github.com/cassaml/cassaml/integration/bench/measure"
)

// Go writes the rounds as go test writes benchmarks, a line for each, so that benchstat compares two runs:
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
