package property

import (
	"regexp"
	"strconv"
	"strings"
)

// The server reads numbers in the way of its own language: white space and a suffix are allowed in a fraction, and a sign
// in both.
var (
	wholeNumber = regexp.MustCompile(`^[+-]?[0-9]+$`)
	fraction    = regexp.MustCompile(`^([+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))[fFdD]?$`)
)

// ReadWhole reads a whole number of so many bits.
func ReadWhole(s string, bits int) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, bits)
	return n, err == nil && wholeNumber.MatchString(s)
}

// ReadFraction reads a number that may have a fraction. One that is too large is infinite.
func ReadFraction(s string) (float64, bool) {
	m := fraction.FindStringSubmatch(trimmed(s))
	if m == nil {
		return 0, false
	}
	f, _ := strconv.ParseFloat(m[1], 64) // the error is of one that is too large, which is infinite there, and here
	return f, true
}

// trimmed takes white space off, as the server has it.
func trimmed(s string) string { return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' }) }

// ReadBoolean reads a boolean property.
func ReadBoolean(s string) (truth, ok bool) {
	switch strings.ToLower(s) {
	case "1", "true", "yes":
		return true, true
	case "0", "false", "no":
		return false, true
	}
	return false, false
}

// IsBoolean reports whether the value of an entry of a map is true or false, for which no other word stands there.
func IsBoolean(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }

// digitsOnly reports whether a text is a whole number without a sign.
func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// numberOr reads the number of an entry, or gives what stands where there is none.
func numberOr(entries map[string]string, name string, otherwise float64) float64 {
	if v, given := entries[name]; given {
		otherwise, _ = ReadFraction(v)
	}
	return otherwise
}
