package migrate_test

import (
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/migrate"
)

// The error of a statement that a server has refused names its file, its line and what has been applied.
func ExampleStatementError() {
	err := error(&migrate.StatementError{
		File: "0002_email.cql", Line: 4, Number: 2, Total: 3, Applied: 1,
		Statement: "ALTER TABLE customers ADD email txt", Err: errors.New("unknown type txt"),
	})
	fmt.Println(err)
	if failed, ok := errors.AsType[*migrate.StatementError](err); ok {
		fmt.Println(failed.File, failed.Applied)
	}
	// Output:
	// 0002_email.cql:4: statement 2 of 3: ALTER TABLE customers ADD email txt: unknown type txt; statement 1 is recorded as applied; statement 2 was not applied: fix the file from there on and run again; the run continues there
	// 0002_email.cql 1
}
