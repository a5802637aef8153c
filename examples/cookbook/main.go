// Cookbook shows the recipes of docs/cookbook.md, in memory.
//
//	go run ./examples/cookbook         # all of them
//	go run ./examples/cookbook saga    # one
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/cassaml/cassaml/examples/cookbook/recipes"
)

func main() {
	if err := recipes.Show(context.Background(), strings.Join(os.Args[1:], " "), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
