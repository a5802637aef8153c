package lint

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// more reports whether a statement goes on. In a batch the next one, or the end of the batch, follows it.
func more(r *lex.Reader) bool {
	return r.Peek().Text != "" && !slices.Contains([]string{"INSERT", "UPDATE", "DELETE", "APPLY"}, r.Peek().Upper)
}

// using judges when data of a table expires, and from when on: what stands behind USING, up to the end of a statement
// or to the first statement of a batch. A time that has passed is the best that can be said, since it is the same when the
// statement is sent again.
func (l *linter) using(r *lex.Reader, table string) {
	for ; more(r); r.At++ {
		if !r.Peek().Is("USING") && !r.Peek().Is("AND") || r.At+1 >= len(r.Words) {
			continue
		}
		n := numberAt(r.Words[r.At+2:])
		switch what := r.Words[r.At+1]; {
		case what.Is("TTL") && n > 0:
			l.say(Expiry, "what is written to %s expires after %d seconds", table, n)
		case what.Is("TIMESTAMP") && n > time.Now().UnixMicro():
			l.say(Ahead, "%s is written at timestamp %d", table, n)
		}
	}
}

// numberAt reads a whole number at the beginning of words; 0 is for none.
func numberAt(words []lex.Word) int64 {
	text := ""
	for i, w := range words {
		if i > 0 && w.From != words[i-1].To || w.Kind != lex.Other || strings.Trim(w.Text, "-0123456789") != "" {
			break
		}
		text += w.Text
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
