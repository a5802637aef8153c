package scan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// checkpoint describes how far the scan of a table is: for each slice, the token up to which all rows have been used. The token of a
// slice that has not begun is the token before it; the token of a complete slice is its last one.
type checkpoint struct {
	table  string
	tokens []int64
}

// checkpointForm is the first word of the text of a checkpoint. A release with another form has another word, and can read this one.
const checkpointForm = "scan1"

// none is the word for an empty list.
const none = "-"

// scanned returns the name of a table in a checkpoint. A root and the part in its table, which have different rows, have different names.
func scanned(t *plan.Table) string {
	if t.Statics {
		return t.Name + ":static"
	}
	return t.Name
}

// newCheckpoint returns the checkpoint of a scan that has not begun.
func newCheckpoint(table string, slices int) *checkpoint {
	c := &checkpoint{table: table, tokens: make([]int64, slices)}
	for i := range c.tokens {
		c.tokens[i] = sliceStart(i, slices)
	}
	return c
}

// complete reports whether all rows of a slice have been used.
func (c *checkpoint) complete(slice int) bool {
	_, high := sliceTokens(slice, len(c.tokens))
	return c.tokens[slice] == high
}

// done returns the number of complete slices.
func (c *checkpoint) done() (n int) {
	for i := range c.tokens {
		if c.complete(i) {
			n++
		}
	}
	return n
}

// String returns the text of a checkpoint: its form, the table, the number of slices, the complete slices, the tokens of those that have
// begun, and a hash of the text before. It contains no keys.
//
//	scan1 customers 256 0-17,19 18:-7880403905364238337,20:-7788342165364238337 d36c8b93241136ec
func (c *checkpoint) String() string {
	var done, begun []string
	n := len(c.tokens)
	for i := 0; i < n; i++ {
		if !c.complete(i) {
			if c.tokens[i] != sliceStart(i, n) {
				begun = append(begun, fmt.Sprintf("%d:%d", i, c.tokens[i]))
			}
			continue
		}
		first := i
		for i+1 < n && c.complete(i+1) {
			i++
		}
		text := strconv.Itoa(first)
		if i > first {
			text += "-" + strconv.Itoa(i)
		}
		done = append(done, text)
	}
	list := func(of []string) string { return cmp.Or(strings.Join(of, ","), none) }
	text := strings.Join([]string{checkpointForm, c.table, strconv.Itoa(n), list(done), list(begun)}, " ")
	return text + " " + checksum(text)
}

// checksum returns a hash of a text, which shows damage.
func checksum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// parseCheckpoint returns the checkpoint of a text, for a table and a number of slices; 0 is the number in the checkpoint. An empty text is the
// beginning.
func parseCheckpoint(text, table string, slices int) (*checkpoint, error) {
	if text == "" {
		return newCheckpoint(table, cmp.Or(slices, DefaultSlices)), nil
	}
	words := strings.Split(text, " ")
	if words[0] != checkpointForm {
		return nil, badCheckpoint("%.40q has an unknown form", text)
	}
	if len(words) != 6 || checksum(strings.Join(words[:5], " ")) != words[5] {
		return nil, badCheckpoint("%.40q is damaged", text)
	}
	n, err := strconv.Atoi(words[2])
	switch {
	case words[1] != table:
		return nil, badCheckpoint("it belongs to table %s, not %s", words[1], table)
	case err != nil || n < 1 || n > maxSlices:
		return nil, badCheckpoint("%.40q is damaged", text)
	case slices != 0 && slices != n:
		return nil, badCheckpoint("it belongs to a scan of %d slices, not %d", n, slices)
	}
	c := newCheckpoint(table, n)
	if !c.parseDone(words[3]) || !c.parseBegun(words[4]) || c.String() != text {
		return nil, badCheckpoint("%.40q is damaged", text)
	}
	return c, nil
}

func badCheckpoint(format string, args ...any) error {
	return fmt.Errorf("%w: %s: use the text that Save received, or an empty one to start again", mapper.ErrCheckpoint, fmt.Sprintf(format, args...))
}

// parseDone reads the complete slices, and reports whether they are valid.
func (c *checkpoint) parseDone(text string) bool {
	if text == none {
		return true
	}
	for part := range strings.SplitSeq(text, ",") {
		from, to, several := strings.Cut(part, "-")
		if !several {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, errLast := strconv.Atoi(to)
		if err != nil || errLast != nil || first < 0 || last >= len(c.tokens) {
			return false
		}
		for i := first; i <= last; i++ {
			_, c.tokens[i] = sliceTokens(i, len(c.tokens))
		}
	}
	return true
}

// parseBegun reads the tokens of slices that are not complete, and reports whether they are valid.
func (c *checkpoint) parseBegun(text string) bool {
	if text == none {
		return true
	}
	for part := range strings.SplitSeq(text, ",") {
		number, token, _ := strings.Cut(part, ":")
		i, err := strconv.Atoi(number)
		at, errToken := strconv.ParseInt(token, 10, 64)
		if err != nil || errToken != nil || i < 0 || i >= len(c.tokens) {
			return false
		}
		if low, high := sliceTokens(i, len(c.tokens)); at <= low || at >= high {
			return false
		}
		c.tokens[i] = at
	}
	return true
}
