package report

import (
	"fmt"
	"os"
	"strings"
)

// Replace puts text between two comments of a page in Markdown, <!-- name --> and <!-- /name -->, which stay. The rest of
// the page is written by hand.
func Replace(path, name, text string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	from, to := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	before, rest, begins := strings.Cut(string(page), from)
	_, after, ends := strings.Cut(rest, to)
	if !begins || !ends {
		return fmt.Errorf("report: %s has no lines %s and %s, between which the figures of %[4]s belong", path, strings.TrimSpace(from), strings.TrimSpace(to), name)
	}
	if err := os.WriteFile(path, []byte(before+from+text+to+after), 0o644); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
