package serve

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/assert"
)

// One change is reported for the events of one save, and none for other files. Time is virtual.
func TestSettle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events, lost, changes := make(chan fsnotify.Event), make(chan error), make(chan struct{}, 1)
		w := &Watcher{inputs: []Input{{Dir: "/shop", Has: func(name string) bool { return filepath.Ext(name) == ".go" }}}}
		go debounce(events, lost, w.concerns, changes)
		reported := func() int {
			time.Sleep(settled)
			synctest.Wait()
			n := len(changes)
			for range n {
				<-changes
			}
			return n
		}
		send := func(op fsnotify.Op, name string) { events <- fsnotify.Event{Op: op, Name: name} }

		began := time.Now()
		for range 3 {
			send(fsnotify.Write, "/shop/model.go")
			time.Sleep(settled - time.Millisecond)
			synctest.Wait()
			assert.Empty(t, changes, "while the file is written")
		}
		<-changes
		assert.Equal(t, 2*(settled-time.Millisecond)+settled, time.Since(began))
		assert.Zero(t, reported(), "one save is one change")

		send(fsnotify.Chmod, "/shop/model.go")
		send(fsnotify.Write, "/shop/.model.go.swp")
		send(fsnotify.Write, "/shop2/model.go")
		assert.Zero(t, reported())

		send(fsnotify.Chmod|fsnotify.Write, "/shop/model.go")
		assert.Equal(t, 1, reported())

		lost <- fsnotify.ErrEventOverflow
		assert.Equal(t, 1, reported(), "events were lost: something may have changed")

		send(fsnotify.Write, "/shop/model.go")
		assert.Equal(t, 1, reported())
		close(events)
	})
}
