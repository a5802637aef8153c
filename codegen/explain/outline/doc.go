// Package outline describes in words what package explain computes, for aml explain and for the pages of aml docs.
//
//	fmt.Print(outline.Store(explain.New(m, schema.Of(m))))
package outline
