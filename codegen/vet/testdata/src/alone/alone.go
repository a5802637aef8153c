package alone

import "github.com/gocql/gocql"

// A package that imports no store is not checked.
func f(s *gocql.Session) { s.Query("SELECT * FROM nothing") }
