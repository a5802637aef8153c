// Package advise orders the designs of the relationships of a model by their cost for a workload: the SELECTs of a file with their rates, and the
// rates of operations that write.
//
//	w, faults := advise.Parse("workload.cql", text)
//	report, err := advise.New(files, w, advise.DefaultWeights())
//	fmt.Print(report)
package advise
