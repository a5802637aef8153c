// Package site checks the static sites that aml docs writes: the target of each link exists, nothing is requested from another host,
// and the pages are valid HTML that a screen reader can use. The parser of a browser accepts every text, so the checks compare the
// source of a page with the tree that a browser builds from it, and allow only the elements and attributes that these pages need.
//
//	for _, fault := range site.Check(files) {
//		t.Error(fault)
//	}
package site
