// Package site checks the static sites that aml docs writes: each link and anchor leads to something, nothing is requested from another
// host, and the pages are valid HTML that a screen reader can use. The parser of browsers accepts every text, so the checks compare
// what is written with what a browser makes of it, and allow only the elements and attributes that the pages of this project need.
//
//	for _, fault := range site.Check(files) {
//		t.Error(fault)
//	}
package site
