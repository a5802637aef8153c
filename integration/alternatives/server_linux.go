package alternatives

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// background are the beginnings of the names of threads of a server that work for no request: the compiler of the virtual machine, compaction, and garbage
// collection. They take as much time as the requests, but long after these.
var background = []string{"C1 Compiler", "C2 Compiler", "CompactionExec", "Memtable", "PerDiskMemtable", "G1 ", "GC Thread", "VM Thread"}

// serverTime returns the processor time of a process without its background threads, in nanoseconds. /proc/PID/stat has hundredths of a second only.
func serverTime(pid int) (time.Duration, error) {
	const scheduler = 2 // CPUCLOCK_SCHED: the clock of clock_getcpuclockid(3)
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduler), &t); err != nil {
		return 0, fmt.Errorf("the processor time of process %d: %w", pid, err)
	}
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	used := time.Duration(t.Nano())
	for _, thread := range threads {
		taken, threadErr := backgroundTime(thread)
		if errors.Is(threadErr, fs.ErrNotExist) || errors.Is(threadErr, unix.ESRCH) {
			continue // it has ended
		}
		used, err = used-taken, errors.Join(err, threadErr)
	}
	return used, err
}

// backgroundTime returns the processor time of a background thread; 0 for any other.
func backgroundTime(thread string) (time.Duration, error) {
	name, err := os.ReadFile(thread + "/comm")
	if err != nil || !slices.ContainsFunc(background, func(b string) bool { return strings.HasPrefix(string(name), b) }) {
		return 0, err
	}
	text, err := os.ReadFile(thread + "/schedstat") // nanoseconds on a processor, and two other numbers
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), " ")
	n, err := strconv.ParseInt(first, 10, 64)
	return time.Duration(n), err
}
