// Package rowname names rows in messages. It is a package of its own because the errors of package mapper and those of the
// runtime, which imports mapper, name rows alike:
//
//	fmt.Errorf("mapper: Get %s: %w", rowname.Of("Customer", "customers", "id=7"), err)
package rowname

// Of returns the name of a row: "Customer (customers id=7)", without a key "Customer (customers)".
func Of(aggregate, table, key string) string {
	if key == "" {
		return aggregate + " (" + table + ")"
	}
	return aggregate + " (" + table + " " + key + ")"
}
