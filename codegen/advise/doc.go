// Package advise orders the designs of the relationships of a model by their cost for a workload: the SELECTs of a file with their rates, and the
// rates of operations that write.
//
//	w, faults := advise.Parse("workload.cql", text)
//	report, faults, err := advise.New(files, w, advise.DefaultConfig())
//	fmt.Print(report.Text())
package advise
