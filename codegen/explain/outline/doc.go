// Package outline describes the results of package explain in words, for aml explain and for the pages of aml docs.
//
//	fmt.Print(outline.Store(explain.New(m, schema.New(m))))
package outline
