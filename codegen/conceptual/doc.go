// Package conceptual reads a conceptual model, an entity relationship diagram of Mermaid with comments for constructs that Mermaid cannot express, and
// writes a first model in Go by fixed rules. Each decision is a comment in the model, with its alternative. docs/conceptual.md has the rules.
//
//	d, faults := conceptual.Parse("shop.mmd", text)
//	source, faults := d.Model("shop", nil)
package conceptual
