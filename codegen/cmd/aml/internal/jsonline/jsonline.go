package jsonline

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

// Option adds the flag -json.
func Option(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "json", false, "write JSON to the standard output, one object per line")
}

// Write writes one object per line to the standard output.
func Write[T any](c *cobra.Command, objects ...T) error {
	out := json.NewEncoder(c.OutOrStdout())
	out.SetEscapeHTML(false)
	for _, o := range objects {
		if err := out.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

// List returns a list that is encoded as [] if it is empty.
func List[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Map returns the results of a function for each element of a list. The result is encoded as [] if it is empty.
func Map[A, B any](list []A, to func(A) B) []B {
	out := make([]B, 0, len(list))
	for _, one := range list {
		out = append(out, to(one))
	}
	return out
}
