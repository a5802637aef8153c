package main

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

// jsonOption adds the flag -json.
func jsonOption(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "json", false, "write JSON to the standard output, one object per line")
}

// writeJSON writes one object per line to the standard output.
func writeJSON[T any](c *cobra.Command, objects ...T) error {
	out := json.NewEncoder(c.OutOrStdout())
	out.SetEscapeHTML(false)
	for _, o := range objects {
		if err := out.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

// list returns a list that is encoded as [] if it is empty.
func list[T any](of []T) []T {
	if of == nil {
		return []T{}
	}
	return of
}

// mapped returns the results of a function for each element of a list.
func mapped[A, B any](of []A, to func(A) B) []B {
	out := make([]B, 0, len(of))
	for _, one := range of {
		out = append(out, to(one))
	}
	return out
}
