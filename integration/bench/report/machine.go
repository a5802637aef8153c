package report

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine is the origin of the figures.
type Machine struct {
	OS, Arch string
	CPU      string // its model
	Cores    int
	Go       string
	Modules  []string // those compared, with their versions
}

// ThisMachine describes this machine.
func ThisMachine() Machine {
	return Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpuModel(), Cores: runtime.NumCPU(), Go: runtime.Version(), Modules: modules()}
}

// String returns one line for a page.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s/%s, %s; %s", m.CPU, m.Cores, m.OS, m.Arch, m.Go, strings.Join(m.Modules, ", "))
}

// cpuModel reads the model of the processor on Linux. Elsewhere it returns the architecture.
func cpuModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, model, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return runtime.GOARCH
}

func modules() (compared []string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, d := range info.Deps {
		switch d.Path {
		case "github.com/gocql/gocql", "github.com/scylladb/gocqlx/v2", "github.com/apache/cassandra-gocql-driver/v2":
			compared = append(compared, d.Path+" "+d.Version)
		}
	}
	return compared
}
