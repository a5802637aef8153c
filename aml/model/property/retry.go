package property

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// The values of speculative_retry: 99p, 99.5percentile, 10ms, or the lesser or greater of one of each kind.
var (
	percentiles   = regexp.MustCompile(`^(?i)([0-9.]+)p(?:ercentile)?$`)
	milliseconds  = regexp.MustCompile(`^(?i)([0-9.]+)ms$`)
	lesserOrOther = regexp.MustCompile(`^(?i)(min|max)\(([0-9.]+[a-z]+)\s*,\s*([0-9.]+[a-z]+)\)$`)
)

const retrySay = "ALWAYS, NEVER, a percentile between 0 and 100 like 99p, a time like 10ms, or MIN(99p,10ms) or MAX of one of each"

// isRetry reports whether the server accepts a value of speculative_retry.
func isRetry(s string) bool {
	if retryWord(s) != "" {
		return true
	}
	pair := lesserOrOther.FindStringSubmatch(s)
	if pair == nil {
		return isBound(s)
	}
	return isBound(pair[2]) && isBound(pair[3]) && percentiles.MatchString(pair[2]) != percentiles.MatchString(pair[3])
}

func retryWord(s string) string {
	switch strings.ToUpper(s) {
	case "NONE", "NEVER":
		return "NEVER"
	case "ALWAYS":
		return "ALWAYS"
	}
	return ""
}

// isBound reports whether the server accepts one percentile or time.
func isBound(s string) bool {
	if m := milliseconds.FindStringSubmatch(s); m != nil {
		_, ok := ReadFraction(m[1])
		return ok
	}
	f, ok := percentile(s)
	return ok && places(f) > 0 && places(f) < 100
}

// percentile reads a percentile that the server accepts.
func percentile(s string) (float64, bool) {
	m := percentiles.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	f, ok := ReadFraction(m[1])
	return f, ok && f > 0 && f < 100
}

// places rounds to four decimal places, which the server stores of a percentile.
func places(f float64) float64 { return math.RoundToEven(f*1e4) / 1e4 }

// rounded returns 0p or 100p if the server accepts a percentile but stores that value, which it cannot read again; otherwise "".
func rounded(s string) string {
	bounds := []string{s}
	if pair := lesserOrOther.FindStringSubmatch(s); pair != nil {
		bounds = pair[2:]
	}
	for _, b := range bounds {
		if _, ok := percentile(b); ok && !isBound(b) {
			return bound(b)
		}
	}
	return ""
}

// Retry returns a value of speculative_retry as the server shows it: 99percentile => 99p, 10.5MS => 10ms,
// max(10ms, 99p) => MAX(99p,10ms), none => NEVER. It returns any other text unchanged.
func Retry(s string) string {
	if word := retryWord(s); word != "" {
		return word
	}
	pair := lesserOrOther.FindStringSubmatch(s)
	if pair == nil {
		return bound(s)
	}
	if milliseconds.MatchString(pair[2]) {
		pair[2], pair[3] = pair[3], pair[2]
	}
	return strings.ToUpper(pair[1]) + "(" + bound(pair[2]) + "," + bound(pair[3]) + ")"
}

func bound(s string) string {
	if m := milliseconds.FindStringSubmatch(s); m != nil {
		f, _ := ReadFraction(m[1])
		return strconv.Itoa(int(min(f, math.MaxInt32))) + "ms"
	}
	if m := percentiles.FindStringSubmatch(s); m != nil {
		f, _ := ReadFraction(m[1])
		return FormatFraction(places(f)) + "p"
	}
	return s
}

// FormatFraction returns a number without an exponent, as the server shows it.
func FormatFraction(f float64) string {
	if math.IsNaN(f) {
		return "nan"
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
