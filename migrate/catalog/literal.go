package catalog

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// constants are what CQL takes as a value without quotes, words aside.
var constants = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?`,
	`(?i:true|false|-?nan|-?infinity)`,
	`0[xX][0-9a-fA-F]*`,
	`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`,
	`-?(?:[0-9]+(?i:y|mo|w|d|h|m|s|ms|us|ns))+`,
	`-?P(?:[0-9]+[YMWD])+(?:T(?:[0-9]+[HMS])+)?|-?PT(?:[0-9]+[HMS])+`,
}, "|") + `)$`)

// The server reads numbers in the way of its own language: white space and a suffix are allowed in a fraction, and a sign
// in both.
var (
	wholeNumber = regexp.MustCompile(`^[+-]?[0-9]+$`)
	fraction    = regexp.MustCompile(`^([+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))[fFdD]?$`)
)

// wholeOf reads a whole number of so many bits.
func wholeOf(s string, bits int) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, bits)
	return n, err == nil && wholeNumber.MatchString(s)
}

// fractionOf reads a number that may have a fraction.
func fractionOf(s string) (float64, bool) {
	m := fraction.FindStringSubmatch(strings.TrimFunc(s, func(r rune) bool { return r <= ' ' }))
	if m == nil {
		return 0, false
	}
	f, _ := strconv.ParseFloat(m[1], 64) // one that is too large is infinite there, and here
	return f, true
}

// truthOf reads a boolean property.
func truthOf(s string) (truth, ok bool) {
	switch strings.ToLower(s) {
	case "1", "true", "yes":
		return true, true
	case "0", "false", "no":
		return false, true
	}
	return false, false
}

// isTruth says whether the value of an entry of a map is true or false, and no other word for it.
func isTruth(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }

// digitsOnly says whether a text is a whole number without a sign.
func digitsOnly(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// plainFraction writes a number without an exponent.
func plainFraction(f float64) string {
	if math.IsNaN(f) {
		return "nan"
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
