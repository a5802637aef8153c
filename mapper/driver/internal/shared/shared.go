// Package shared has a map for each session of a driver, for driver.Session.Shared.
package shared

import (
	"runtime"
	"sync"
	"weak"
)

// maps has the map of each session, which does not keep the session alive.
var maps sync.Map // the keys are weak pointers to sessions, the values are *sync.Map

// Map returns the map of a session of a driver. That of nil is new in each call.
func Map[S any](session *S) *sync.Map {
	if session == nil {
		return &sync.Map{}
	}
	key := weak.Make(session)
	m, known := maps.LoadOrStore(key, &sync.Map{})
	if !known {
		runtime.AddCleanup(session, func(key weak.Pointer[S]) { maps.Delete(key) }, key)
	}
	return m.(*sync.Map)
}
