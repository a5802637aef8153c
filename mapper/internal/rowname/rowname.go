// Package rowname names rows in messages. It is a package of its own because the errors of package mapper and of the
// runtime, which imports mapper, name rows alike:
//
//	fmt.Errorf("mapper: Get %s: %w", rowname.Format("Customer", "customers", "id=7"), err)
package rowname

import "strconv"

// Format returns the name of a row: "Customer (customers id=7)", without a key "Customer (customers)".
func Format(aggregate, table, key string) string {
	if key == "" {
		return aggregate + " (" + table + ")"
	}
	return aggregate + " (" + table + " " + key + ")"
}

// First returns the name of a batch of writes: the name of its first row, and how many writes follow: "Customer (customers id=7) and 2
// more writes". Without a batch, writes is 0.
func First(aggregate, table, key string, writes int) string {
	switch name := Format(aggregate, table, key); writes {
	case 0, 1:
		return name
	case 2:
		return name + " and 1 more write"
	default:
		return name + " and " + strconv.Itoa(writes-1) + " more writes"
	}
}
