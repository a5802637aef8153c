// Package gosource edits the declarations of structs in the files of a Go package, and keeps everything else, such as comments.
//
//	p := gosource.New(map[string]string{"model.go": text})
//	p.SetMarker("Vehicle", "Aggregate", "vehicles")
//	p.RemoveField("Customer", "Vehicles")
//	p.AddField("Vehicle", "CustomerID gocql.UUID `aml:\"customer_id,association=Customer\"`")
//	texts, err := p.Texts()
//
// The first edit that is not possible is the error of Texts, and the edits after it have no effect.
package gosource
