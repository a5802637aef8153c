package diagramcmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/ownfile"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/mermaid"
)

// updateBlocks replaces the blocks of a Markdown file. Everything else stays as it is.
func updateBlocks(c *cobra.Command, args []string, o options) error {
	if o.output != "" || o.dark {
		return errors.New("-update replaces blocks of Mermaid in its file, and excludes -o and -dark")
	}
	if !c.Flags().Changed("notation") {
		o.notation = string(diagram.Mermaid)
	}
	data, err := os.ReadFile(o.update)
	if err != nil {
		return err
	}
	text := string(data)
	blocks, err := findBlocks(o.update, text)
	if err != nil {
		return err
	}
	var b strings.Builder
	at := 0
	known := map[string][]diagram.Model{}
	for _, block := range blocks {
		fences, err := o.fences(c, args, block, known)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", o.update, block.line, err)
		}
		b.WriteString(text[at:block.from] + strings.ReplaceAll(fences, "\n", block.end))
		at = block.to
	}
	b.WriteString(text[at:])
	files := []codegen.File{{Path: ownfile.Target(o.update), Data: []byte(b.String())}}
	if o.check {
		return ownfile.Compare(files, ownfile.Command(c, args))
	}
	return ownfile.Write(c, files)
}

// block is the part of a Markdown file between two comments.
type block struct {
	from, to int
	line     int      // number of the first comment, counted from 1
	end      string   // the end of its lines, as in Unix or in Windows
	words    []string // words of the first comment
}

var (
	opening = regexp.MustCompile(`^ {0,3}<!-- *aml diagram( .*?)? *-->[ \t]*$`)
	closing = regexp.MustCompile(`^ {0,3}<!-- */aml diagram *-->[ \t]*$`)
	fence   = regexp.MustCompile("^ {0,3}(?:(```+)[^`]*|(~~~+).*)$") // ```code``` in a line is no fence
)

// findBlocks returns the blocks of the text of a Markdown file. Comments in a code fence are code.
func findBlocks(file, text string) (out []block, err error) {
	var open *block
	var faults []error
	fault := func(line int, what string, args ...any) {
		faults = append(faults, fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(what, args...)))
	}
	at, number, inFence := 0, 0, ""
	for raw := range strings.Lines(text) {
		number++
		line := strings.TrimRight(raw, "\r\n")
		switch m := fence.FindStringSubmatch(line); {
		case inFence != "" && endsFence(line, inFence):
			inFence = ""
		case inFence != "":
		case m != nil:
			inFence = m[1] + m[2]
		case closing.MatchString(line) && open == nil:
			fault(number, "<!-- /aml diagram --> ends no block: write <!-- aml diagram --> before it")
		case closing.MatchString(line):
			open.to = at
			out, open = append(out, *open), nil
		case opening.MatchString(line) && open != nil:
			fault(number, "<!-- aml diagram --> is in the block that begins on line %d: end that block with <!-- /aml diagram -->", open.line)
		case opening.MatchString(line):
			open = &block{from: at + len(raw), line: number, end: raw[len(line):], words: strings.Fields(opening.FindStringSubmatch(line)[1])}
		}
		at += len(raw)
	}
	switch {
	case open != nil:
		fault(open.line, "the block has no end: write <!-- /aml diagram --> after it")
	case len(out) == 0 && faults == nil:
		faults = append(faults, fmt.Errorf("%s has no block: write the lines <!-- aml diagram --> and <!-- /aml diagram --> where the diagram belongs", file))
	}
	return out, errors.Join(faults...)
}

// endsFence reports whether a line ends a code fence: it has at least as many of the same signs, and nothing else.
func endsFence(line, begin string) bool {
	line = strings.TrimRight(line, " \t")
	signs := strings.TrimLeft(line, " ")
	return len(line)-len(signs) <= 3 && strings.HasPrefix(signs, begin) && strings.Trim(signs, begin[:1]) == ""
}

// fences returns the code fences of a block. The models of several blocks are read once.
func (o options) fences(c *cobra.Command, args []string, b block, known map[string][]diagram.Model) (string, error) {
	folders, err := o.parse(b.words)
	if err != nil {
		return "", err
	}
	if len(folders) > 0 {
		args = nil
		for _, f := range folders {
			args = append(args, filepath.Join(filepath.Dir(o.update), f))
		}
	}
	notation, err := diagram.ParseNotation(o.notation)
	if err != nil {
		return "", fmt.Errorf("-notation: %w", err)
	}
	if !notation.IsText() {
		return "", fmt.Errorf("-notation %s is a picture: use mermaid, mermaid-class or mermaid-er", notation)
	}
	settings, err := o.settings(notation)
	if err != nil {
		return "", err
	}
	key := strings.Join(args, "\n")
	if known[key] == nil {
		if known[key], err = readModels(c, args); err != nil {
			return "", err
		}
	}
	sections, err := mermaid.Draw(notation, known[key], settings)
	if err != nil {
		return "", err
	}
	var out []string
	for _, s := range sections {
		out = append(out, s.Fence())
	}
	return strings.Join(out, "\n"), nil
}

// parse reads the options of a comment, which replace the options of the command line, and returns the folders in it.
func (o *options) parse(words []string) (folders []string, err error) {
	c := &cobra.Command{Use: "aml diagram", SilenceErrors: true, SilenceUsage: true}
	c.SetOut(io.Discard)
	c.Flags().StringVar(&o.notation, "notation", o.notation, "")
	c.Flags().StringVar(&o.types, "types", o.types, "")
	c.Flags().StringSliceVar(&o.roots, "roots", o.roots, "")
	c.Flags().StringVar(&o.focus, "focus", o.focus, "")
	c.Flags().IntVar(&o.depth, "depth", o.depth, "")
	err = c.ParseFlags(commandline.LongOptions(words))
	if errors.Is(err, pflag.ErrHelp) {
		err = errors.New("unknown flag: --help") // the original error would print the help and end without a fault
	}
	if err != nil {
		return nil, fmt.Errorf("in the comment: %w: a comment can have folders, -notation, -types, -roots, -focus and -depth", err)
	}
	return c.Flags().Args(), nil
}
