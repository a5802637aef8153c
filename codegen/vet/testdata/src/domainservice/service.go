package domainservice

import (
	"github.com/gocql/gocql"

	_ "domain/store"
)

func read(s *gocql.Session) {
	s.Query("SELECT id, state FROM notes WHERE id = ?")
	s.Query("SELECT id, sate FROM notes WHERE id = ?") // want `AML703: table notes has no column sate; did you mean state\?`
}
