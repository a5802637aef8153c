// Package substitute lets the tests of this module run over another driver than that of their sessions: stores and migrations on a session
// of gocql send their requests through the session that is set for it. No other module can import this package, so in a service it does
// nothing.
package substitute

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cassaml/cassaml/mapper/driver"
)

var (
	required atomic.Bool
	sessions sync.Map // driver.Session by the session of gocql
)

// Require makes Session panic for a session of gocql for which Set was not called, so that no request is sent through gocql by mistake.
func Require() { required.Store(true) }

// Set sets the session that is used instead of a session of gocql; nil: stores and migrations use the session of gocql.
func Set(own any, other driver.Session) { sessions.Store(own, other) }

// Session returns the session that is used instead of one of gocql, or nil.
func Session(own any) driver.Session {
	if !required.Load() {
		return nil
	}
	other, known := sessions.Load(own)
	if !known {
		panic(fmt.Sprintf("substitute: no session of the other driver was set for %T %p: create it with cassandra.CreateSession or cassandra.SessionLike", own, own))
	}
	s, _ := other.(driver.Session)
	return s
}
