package reconcilecmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// errNotConfirmed is the error of a command that its user has not confirmed.
var errNotConfirmed = errors.New("nothing was changed")

// prompt asks a question and returns an error unless the answer is yes.
func prompt(ctx context.Context, in io.Reader, out io.Writer, question string) error {
	fmt.Fprint(out, question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(in).ReadString('\n') // the text is empty if there is no answer
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case text := <-answer:
		if text == "y" || text == "yes" {
			return nil
		}
		return errNotConfirmed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
