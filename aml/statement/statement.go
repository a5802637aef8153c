// Package statement has the CQL that aml explain and the runtime both write, so that they cannot differ: the INSERTs of a row,
// with the choice between them, the UPDATE that adds elements to a list, and the clause of a read of static columns. It imports
// no other package of the project.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/aml/statement"
//	)
//
//	func main() {
//		fmt.Println(statement.Insert("customers", "id", "name")) // INSERT INTO customers (id, name) VALUES (?, ?) USING TIMESTAMP ? AND TTL ?
//		fmt.Println(statement.One(1, 5, true))                   // true: a change of one column has its own INSERT
//	}
package statement

import (
	"slices"
	"strings"
)

// Insert renders the INSERT of some columns of a table, which also writes the row's marker. Names must be quoted as in CQL.
func Insert(table string, columns ...string) string {
	return insert(table, columns) + " USING TIMESTAMP ? AND TTL ?"
}

// InsertNew renders the INSERT of a row that is carried out only if there is no row with its key.
func InsertNew(table string, columns ...string) string {
	return insert(table, columns) + " IF NOT EXISTS"
}

// InsertPlain renders the INSERT of a row in a conditional batch, which cannot have a timestamp.
func InsertPlain(table string, columns ...string) string { return insert(table, columns) }

func insert(table string, columns []string) string {
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ") + ")"
}

// One reports whether a change of some columns of a row is written by the INSERT of its key and of only one column, not by the
// INSERT of all columns, which leaves the others unset: exactly one column changes, it is one cell, and the table has more
// columns outside its key. A driver also sends each unset value, and a statement for each combination of columns would
// overflow its cache of prepared statements.
func One(changed, beyondKey int, singleCell bool) bool {
	return changed == 1 && beyondKey > 1 && singleCell
}

// Positioned renders the read of all columns of a table, without a restriction. The read also returns results, such as the Stamps of the
// columns outside the primary key, and the token of the partition, whose key is the first partition columns. If partition is 0, the
// read does not return the token.
func Positioned(table string, columns []string, partition int, results ...string) string {
	all := slices.Concat(columns, results)
	if partition > 0 {
		all = append(all, Token(columns[:partition]))
	}
	return "SELECT " + strings.Join(all, ", ") + " FROM " + table
}

// Stamps renders the write times of columns, and then their remaining TTLs. Each result is a list for a column of several cells, which
// servers before Cassandra 5.0 refuse.
func Stamps(columns ...string) (results []string) {
	for _, function := range []string{"WRITETIME", "TTL"} {
		for _, c := range columns {
			results = append(results, function+"("+c+")")
		}
	}
	return results
}

// Latest renders the latest write time of a column. Servers before Cassandra 5.0 have no MAXWRITETIME: they have a write time for a column
// of one cell only.
func Latest(column string, singleCell bool) string {
	if singleCell {
		return "WRITETIME(" + column + ")"
	}
	return "MAXWRITETIME(" + column + ")"
}

// TTL renders the remaining TTL of a column.
func TTL(column string) string { return "TTL(" + column + ")" }

// Token renders the token of a partition key.
func Token(columns []string) string { return "TOKEN(" + strings.Join(columns, ", ") + ")" }

// Extend renders the UPDATE that adds elements to a list that is not frozen: with front at its beginning, otherwise at its end.
// key has the columns of WHERE.
func Extend(table, column string, front bool, key ...string) string {
	sum := column + " + ?"
	if front {
		sum = "? + " + column
	}
	return "UPDATE " + table + " USING TIMESTAMP ? AND TTL ? SET " + column + " = " + sum + " WHERE " + strings.Join(key, " = ? AND ") + " = ?"
}

// OnePerPartition is the clause of a read of static columns, which the server otherwise returns with every row of a partition.
const OnePerPartition = " PER PARTITION LIMIT 1"

// PerPartitionLimit is the end of a SELECT that returns a limited number of rows of each partition.
const PerPartitionLimit = " PER PARTITION LIMIT ?"

// Order renders the order of the rows of a partition.
func Order(columns []string, desc func(int) bool) string {
	out := " ORDER BY "
	for i, c := range columns {
		if i > 0 {
			out += ", "
		}
		out += c + " ASC"
		if desc(i) {
			out = strings.TrimSuffix(out, "ASC") + "DESC"
		}
	}
	return out
}

// Slice renders the restriction of columns to the rows on one side of some values.
func Slice(columns []string, operator string) string {
	if len(columns) == 1 {
		return columns[0] + " " + operator + " ?"
	}
	return "(" + strings.Join(columns, ", ") + ") " + operator + " (" + strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ") + ")"
}

// Runs divides the columns from first to last-1 into runs of one direction, the last run first, and calls yield with the first column
// of each run and the column after it. In CQL one slice has the rows after a position only within a run: with (a, b desc) those are
// the rows with the same a and a smaller b, then those with a greater a.
func Runs(first, last int, desc func(int) bool, yield func(from, to int)) {
	for from := last; from > first; last = from {
		for from--; from > first && desc(from-1) == desc(from); from-- {
		}
		yield(from, last)
	}
}
