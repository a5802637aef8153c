package property

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Indexed describes the column of a storage-attached index, as far as its options depend on it.
type Indexed struct {
	Key    bool // the column is part of the primary key
	Text   bool // it is text or ascii, not a collection
	Vector int  // the number of elements of a vector; 0 for any other type
}

// indexOptions are the options of a storage-attached index, of texts and of vectors.
var (
	analyzing = rules{"ascii": trueOrFalse, "case_sensitive": trueOrFalse, "normalize": trueOrFalse}
	vectorial = rules{
		"optimize_for":        {"LATENCY or RECALL", choice(false, "LATENCY", "RECALL").holds},
		"similarity_function": {"COSINE, DOT_PRODUCT or EUCLIDEAN", choice(false, "COSINE", "DOT_PRODUCT", "EUCLIDEAN").holds},
	}
)

// Check returns why Cassandra refuses the options of an index; "" if it accepts them.
func (i Indexed) Check(options map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if why := i.option(name, options[name]); why != "" {
			return why
		}
	}
	similarity, given := options["similarity_function"]
	switch {
	case i.Vector != 1 || given && !strings.EqualFold(similarity, "COSINE"):
		return ""
	case given:
		return "a vector of one element has no angle"
	}
	return "a vector of one element has no angle: add similarity_function=EUCLIDEAN"
}

func (i Indexed) option(name, value string) string {
	text, analyzes := analyzing[name]
	vector, compares := vectorial[name]
	switch {
	case !analyzes && !compares:
		return name + " is not an option of an index"
	case compares && i.Vector == 0:
		return name + " is an option for vectors only"
	case compares && !vector.holds(value):
		return fmt.Sprintf("%s must be %s", name, vector.say)
	case analyzes && i.Key:
		return "an index on a key column does not have the option " + name
	case analyzes && !i.Text:
		return name + " is an option for text only"
	case analyzes && !text.holds(value):
		return fmt.Sprintf("%s must be %s", name, text.say)
	}
	return ""
}
