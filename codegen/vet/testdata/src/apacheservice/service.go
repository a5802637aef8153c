package apacheservice

import (
	"github.com/apache/cassandra-gocql-driver/v2"

	_ "shop"
)

func f(s *gocql.Session, b *gocql.Batch) {
	s.Query("SELECT id, name FROM customers WHERE id = ?")
	s.Query("SELECT id, nam FROM customers WHERE id = ?")                                                    // want `AML703: table customers has no column nam; did you mean name\?`
	s.Bind("SELECT id FROM customer WHERE id = ?", nil)                                                      // want `AML702: there is no table customer in the model; did you mean customers\?`
	b.Query("UPDATE accounts SET user = ? WHERE id = ?")                                                     // want `AML722: Account is versioned, and this UPDATE has no condition`
	b.Bind("SELECT * FROM readings", nil)                                                                    // want `AML721: SELECT \* returns other columns after a migration; write site, year, sensor, at, value, tags`
	b.Query("UPDATE customers SET name = ? WHERE id = ?").Query("UPDATE customers SET nam = ? WHERE id = ?") // want `AML703: table customers has no column nam`
	(&gocql.Query{}).Bind("SELECT nothing")
}
