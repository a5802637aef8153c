package catalog

import (
	"regexp"
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
