package service

import (
	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	_ "shop"
)

const byName = "SELECT id FROM customers WHERE name = ?"

func tables(s *gocql.Session, x gocqlx.Session, b *gocql.Batch, table string) {
	s.Query(byName, "Ana")
	s.Query("SELECT id, nam FROM customers WHERE id = ?")               // want `AML703: table customers has no column nam; did you mean name\?`
	s.Query(`SELECT id FROM "customer" WHERE id = ?`)                   // want `AML702: there is no table customer in the model; did you mean customers\?`
	s.Query("SELECT release_version FROM system.local")                 // a table of the server
	s.Query("SELECT id FROM " + table)                                  // not a constant
	s.Query("SELECT writetime(nme) FROM customers WHERE token(id) > ?") // want `AML703: table customers has no column nme`
	s.Query("SELEC id FROM customers")                                  // want `AML701: want a statement, found SELEC`
	x.ContextQuery(nil, "SELECT * FROM readings", nil)                  // want `AML721: SELECT \* returns other columns after a migration; write site, year, sensor, at, value, tags`
	x.Query("INSERT INTO customers (id, naem) VALUES (?, ?)", nil)      // want `AML703: table customers has no column naem`
	_ = x.ExecStmt("SELECT id FROM shop.customers WHERE id = ?")
	b.Query("UPDATE customers_by_plate SET name = ? WHERE plate = ? AND id = ?") // want `AML722: the rows of customers_by_plate follow from Customer, and this UPDATE changes only the copy; call the methods of the store's field Customers`
	b.Query("UPDATE customers SET name = ? WHERE id = ?")
	(&gocql.Query{}).Bind("SELECT nothing")
}

func writes(s *gocql.Session) {
	s.Query("UPDATE accounts SET user = ? WHERE id = ?")                 // want `AML722: Account is versioned, and this UPDATE has no condition`
	s.Query("UPDATE accounts SET user = ? WHERE id = ? IF version = ?")  // conditional
	s.Query("BEGIN BATCH DELETE FROM accounts WHERE id = 1 APPLY BATCH") // want `AML722: Account is versioned, and this DELETE`
	s.Query("BEGIN BATCH UPDATE accounts SET user = 'a' WHERE id = 1 IF version = 2 UPDATE accounts SET user = 'a' WHERE id = 1 APPLY BATCH")
	s.Query("DELETE FROM accounts WHERE id = ? IF EXISTS") // conditional
	s.Query("DELETE user FROM accounts WHERE id = ? IF EXISTS;")
	s.Query("DELETE FROM accounts USING TIMESTAMP ? WHERE id IN (?, ?) IF version = ?")
	s.Query("UPDATE accounts SET user = ? WHERE id = ? IF EXISTS")
	s.Query("INSERT INTO accounts (id, user) VALUES (?, ?) IF NOT EXISTS USING TTL ?")
	s.Query("INSERT INTO accounts JSON ? IF NOT EXISTS")
	s.Query("INSERT INTO accounts JSON ?")                                                                    // want `AML722: Account is versioned, and this INSERT`
	s.Query("DELETE FROM accounts WHERE id = 1")                                                              // want `AML722: Account is versioned, and this DELETE`
	s.Query("SELECT id FROM accounts WHERE id = ?; SELECT idd FROM accounts WHERE id = ?")                    // want `AML701: the text has more than one statement, and the server refuses it` `AML703: table accounts has no column idd`
	s.Query("UPDATE accounts SET user = ? WHERE id = ? IF EXISTS; UPDATE accounts SET user = ? WHERE id = ?") // want `AML701: the text has more than one statement, and the server refuses it` `AML722: Account is versioned, and this UPDATE`
	s.Query("UPDATE customers SET name = 'a' WHERE id = ?; DELETE FROM accounts WHERE id = 1")                // want `AML701: the text has more than one statement, and the server refuses it` `AML722: Account is versioned, and this DELETE`
	s.Query("INSERT INTO customers (id) VALUES (?); SELECT * FROM customers")                                 // want `AML701: the text has more than one statement, and the server refuses it` `AML721`
	s.Query("TRUNCATE customers; SELECT * FROM customers")                                                    // want `AML701: the text has more than one statement, and the server refuses it` `AML721`
	s.Query("CREATE TABLE x (id int PRIMARY KEY); SELECT * FROM customers")                                   // want `AML701: the text has more than one statement, and the server refuses it` `AML721`
	s.Query("SELECT id FROM customers WHERE id = ?; UPDATE customers SET name = ? WHERE id = ?")              // want `AML701: the text has more than one statement`
	s.Query("INSERT INTO customers (id) VALUES (?) SELECT id FROM customers WHERE id = ?")                    // want `AML701: unexpected SELECT`
	s.Query("DELETE FROM accounts IF EXISTS WHERE id = ?")                                                    // want `AML701: IF follows WHERE`
	s.Query("TRUNCATE names")                                                                                 // want `AML722: the rows of names follow from Customer, and this TRUNCATE changes only the copy; call Forget of each store`
	s.Query("TRUNCATE customers_by_plate")                                                                    // want `AML722: the rows of customers_by_plate follow from Customer, and this TRUNCATE`
	s.Query("DELETE FROM accounts__user_unique WHERE user = ?")                                               // want `AML722: the store writes accounts__user_unique together with Account`
}

func filters(s *gocql.Session) {
	s.Query("SELECT at FROM readings WHERE site = ? AND year = ?")
	s.Query("SELECT at FROM readings WHERE site = ? AND year IN ? AND sensor = ? AND at > ? AND at <= ?")
	s.Query("SELECT at FROM readings WHERE site = ? AND year = ? AND (sensor, at) > (?, ?)")
	s.Query("SELECT at FROM readings WHERE token(site, year) > ?")
	s.Query("SELECT at FROM readings")
	s.Query("SELECT id FROM customers WHERE name = ?")                                       // an index
	s.Query("SELECT at FROM readings WHERE site = ?")                                        // want `AML708: the server refuses the query without ALLOW FILTERING: site is in the partition key, but not each of its columns has a value`
	s.Query("SELECT at FROM readings WHERE sensor = ?")                                      // want `AML708: .*: sensor is in the key, but the partition key has no value`
	s.Query("SELECT at FROM readings WHERE site = ? AND year = ? AND at = ?")                // want `AML708: .*: the columns before at in the key have no value`
	s.Query("SELECT at FROM readings WHERE site = ? AND year = ? AND sensor > ? AND at = ?") // want `AML708: .*: the columns before at in the key have no value`
	s.Query("SELECT at FROM readings WHERE site = ? AND year = ? AND at > ? AND at < ?")     // want `AML708: .*: the columns before at in the key have no value`
	s.Query("SELECT at FROM readings WHERE site = ? AND year = ? AND value = ?")             // want `AML708: .*: value is not in the key`
	s.Query("SELECT id FROM customers WHERE email = ? ALLOW FILTERING")                      // want `AML708: ALLOW FILTERING reads rows that the query does not return; read another table, index the column, or declare a redundant aggregate whose key begins with the restricted columns \(key of customers: \(id\)\)`
}

func silenced(s *gocql.Session) {
	//aml:ignore AML708 a report that runs once a year
	s.Query("SELECT id FROM customers WHERE email = ? ALLOW FILTERING")
	s.Query("SELECT * FROM customers") //aml:ignore AML721 a tool that prints all columns
	//aml:ignore AML721
	s.Query("SELECT * FROM customers") // want `AML721`
}
