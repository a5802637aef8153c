// Package article writes names with their indefinite articles.
package article

import "regexp"

var (
	vowel     = regexp.MustCompile(`^(?:[AEIOaeio]|U[b-df-hj-np-tv-z]{2}|Hour|Heir|Honou?r)`) // an Order, an Umbrella, but a User
	consonant = regexp.MustCompile(`^(?:Eu|One(?:[A-Z]|$))`)                                  // a European, a One
)

// With returns a name after its article: an Order, a User.
func With(name string) string {
	if vowel.MatchString(name) && !consonant.MatchString(name) {
		return "an " + name
	}
	return "a " + name
}
