package serve

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Input is a folder with files that a site is built from. The folder need not exist yet.
type Input struct {
	Dir string
	Has func(name string) bool // reports whether the site is built from the file of the folder with this name
}

// Watcher reports changes of files.
type Watcher struct {
	C <-chan struct{} // has a value after files have changed and an editor has finished writing them

	files  *fsnotify.Watcher
	mu     sync.Mutex
	inputs []Input
}

// settled is the time without further events after which a change is reported. Editors that replace a file, and commands that write several,
// cause events within some milliseconds.
const settled = 50 * time.Millisecond

// Watch returns a watcher that ends with ctx.
func Watch(ctx context.Context) (*Watcher, error) {
	files, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	context.AfterFunc(ctx, func() { files.Close() })
	c := make(chan struct{}, 1)
	w := &Watcher{C: c, files: files}
	go debounce(files.Events, files.Errors, w.concerns, c)
	return w, nil
}

// Set replaces the inputs that are watched. It is called before the files are read, so that no change is lost. The parents of folders are watched
// as well: a folder can be created, renamed or replaced.
func (w *Watcher) Set(inputs []Input) error {
	var dirs []string
	for i, in := range inputs {
		dir, err := filepath.Abs(in.Dir)
		if err != nil {
			return fmt.Errorf("watch %s: %w", in.Dir, err)
		}
		inputs[i].Dir = dir
		dirs = append(dirs, dir, nearest(filepath.Dir(dir)))
	}
	w.mu.Lock()
	w.inputs = inputs
	w.mu.Unlock()
	for _, dir := range dirs {
		if err := w.files.Add(dir); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("watch %s: %w", dir, err)
		}
	}
	return nil
}

// nearest returns the folder, or the first one above it that exists.
func nearest(dir string) string {
	for {
		if i, err := os.Stat(dir); err == nil && i.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// concerns reports whether an event is about a file of the inputs, or a folder that leads to one.
func (w *Watcher) concerns(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false // backups and indexers cause it
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, in := range w.inputs {
		if filepath.Dir(e.Name) == in.Dir && in.Has(filepath.Base(e.Name)) ||
			in.Dir == e.Name || strings.HasPrefix(in.Dir, e.Name+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// debounce sends to changes when no event that concerns the site has occurred for a while. An error means that events were lost.
func debounce(events <-chan fsnotify.Event, lost <-chan error, concerns func(fsnotify.Event) bool, changes chan<- struct{}) {
	var quiet <-chan time.Time
	for {
		select {
		case e, open := <-events:
			if !open {
				return
			}
			if concerns(e) {
				quiet = time.After(settled)
			}
		case _, open := <-lost:
			if !open {
				return
			}
			quiet = time.After(settled)
		case <-quiet:
			select {
			case changes <- struct{}{}:
			default: // a change is waiting already
			}
		}
	}
}
