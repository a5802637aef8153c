package catalog

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// When another replica is asked: 99p, 99.5percentile, 10ms, or the lesser or greater of one of each kind.
var (
	percentiles   = regexp.MustCompile(`^(?i)([0-9.]+)p(?:ercentile)?$`)
	milliseconds  = regexp.MustCompile(`^(?i)([0-9.]+)ms$`)
	lesserOrOther = regexp.MustCompile(`^(?i)(min|max)\(([0-9.]+[a-z]+)\s*,\s*([0-9.]+[a-z]+)\)$`)
)

// retryForm says why the server refuses when another replica would be asked.
func retryForm(s string) error {
	if wordOfRetry(s) != "" {
		return nil
	}
	pair := lesserOrOther.FindStringSubmatch(s)
	if pair == nil {
		return boundForm(s)
	}
	for _, b := range pair[2:] {
		if err := boundForm(b); err != nil {
			return err
		}
	}
	if percentiles.MatchString(pair[2]) == percentiles.MatchString(pair[3]) {
		return fmt.Errorf("%s is of two percentiles or of two times: one of each is wanted", s)
	}
	return nil
}

func wordOfRetry(s string) string {
	switch strings.ToUpper(s) {
	case "NONE", "NEVER":
		return "NEVER"
	case "ALWAYS":
		return "ALWAYS"
	}
	return ""
}

// boundForm judges one bound. The server writes percentiles down with four places, and could not read 0p or 100p again.
func boundForm(s string) error {
	if m := percentiles.FindStringSubmatch(s); m != nil {
		if f, ok := fractionOf(m[1]); ok && places(f) > 0 && places(f) < 100 {
			return nil
		}
	}
	if m := milliseconds.FindStringSubmatch(s); m != nil {
		if _, ok := fractionOf(m[1]); ok {
			return nil
		}
	}
	return fmt.Errorf("%q does not say when another replica is asked: write '99p', '10ms', 'MIN(99p,10ms)', 'ALWAYS' or 'NEVER'", s)
}

// places rounds to four places.
func places(f float64) float64 { return math.RoundToEven(f*1e4) / 1e4 }

// retry writes when another replica is asked as the server shows it: 99percentile => 99p, 10.5MS => 10ms,
// max(10ms, 99p) => MAX(99p,10ms), none => NEVER.
func retry(s string) string {
	if word := wordOfRetry(s); word != "" {
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
		f, _ := fractionOf(m[1])
		return strconv.Itoa(int(min(f, math.MaxInt32))) + "ms"
	}
	if m := percentiles.FindStringSubmatch(s); m != nil {
		f, _ := fractionOf(m[1])
		return plainFraction(places(f)) + "p"
	}
	return s
}
