package diagramcmd

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Blocks are found where Markdown has comments, not where it has code.
func TestFindBlocks(t *testing.T) {
	const block = "<!-- aml diagram -->\n<!-- /aml diagram -->\n"
	for text, want := range map[string]int{
		block:                                      1,
		block + "text\n" + block:                   2,
		"```\n" + block + "```\n" + block:          1,
		"```\n```go\n" + block + "```\n" + block:   1, // a fence with a language ends no fence
		"````\n```\n" + block + "````\n" + block:   1,
		"~~~ `x`\n```\n" + block + "~~~\n" + block: 1,
		"```code``` in a line\n" + block:           1,
		"``` \n" + block + "   ```  \n" + block:    1,
	} {
		got, err := findBlocks("README.md", text)
		require.NoError(t, err, text)
		require.Len(t, got, want, text)
	}
}
