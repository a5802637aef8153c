package reconcilecmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
)

// mainSource returns the source of the function main of the program, which opens the store of a model.
func mainSource(m *model.Model, s *schema.Schema, c codegen.Config) string {
	var entries strings.Builder
	for _, t := range roots(s) {
		field := model.CamelCase(t.Name)
		if t.Aggregate.InRootTable {
			field = t.Aggregate.Struct.Name
		}
		fmt.Fprintf(&entries, "\t\t\t%q: s.%s,\n", rootName(t), field)
	}
	path := m.Package.Path
	if c.Package != nil {
		path = c.Package.Path
	}
	fanOut := ""
	if fansOut(s) {
		fanOut = ", FanOut: s.FanOut"
	}
	return fmt.Sprintf(`package main

import (
	"context"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	model %q // the package of its store
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

var _ gocql.Consistency // of the driver

func main() {
	Main(func(ctx context.Context, session gocqlx.Session, config mapper.Config) (*Store, error) {
		s, err := model.%sOpen(ctx, session, config)
		if err != nil {
			return nil, err
		}
		return &Store{Reconcile: s.Reconcile%s, Roots: map[string]gen.Reconcilable{
%s		}}, nil
	})
}
`, path, c.Prefix, fanOut, &entries)
}

// overApache changes the source of the program, and of its main function, from gocqlx to Apache's driver.
var overApache = strings.NewReplacer(
	`"github.com/gocql/gocql"`, `gocql "`+cqltype.ApacheDriver+`"`, "\t\"github.com/scylladb/gocqlx/v2\"\n", "",
	"gocqlx.WrapSession(cluster.CreateSession())", "cluster.CreateSession()", "session.Session.Query", "session.Query",
	"cluster.Logger = silent{}", "cluster.Logger = gocql.NewLogger(gocql.LogLevelNone)",
	"gocql.DataCentreHostFilter", "gocql.DataCenterHostFilter", "gocqlx.Session{}", "nil", "gocqlx.Session", "*gocql.Session",
)

// built is a program in a temporary folder.
type built struct{ dir, file string }

// programFolder is the folder of the program below the folder of the store, so that it can import internal packages. It does not exist: the go
// command reads its files from a temporary folder.
const programFolder = "_aml_reconcile"

// build compiles the program in the module of a package, with the function main.
func build(ctx context.Context, dir, main, driver string) (p *built, err error) {
	p = &built{}
	if p.dir, err = os.MkdirTemp("", "aml-reconcile-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.remove()
		}
	}()
	p.file = filepath.Join(p.dir, "reconcile")
	if runtime.GOOS == "windows" {
		p.file += ".exe"
	}
	if err := p.overlay(dir, main, driver); err != nil {
		return nil, err
	}
	return p, p.compile(ctx, dir)
}

// overlay writes the source, and the file that shows it to the go command below a folder.
func (p *built) overlay(dir, main, driver string) error {
	at, err := filepath.Abs(filepath.Join(dir, programFolder))
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for name, text := range map[string]string{
		"main.go":    main,
		"program.go": strings.Replace(program.Source, "\npackage program\n", "\npackage main\n", 1),
	} {
		if driver == codegen.Apache {
			text = overApache.Replace(text)
		}
		file := filepath.Join(p.dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
		replace[filepath.Join(at, name)] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.dir, "overlay.json"), text, 0o644)
}

func (p *built) compile(ctx context.Context, dir string) error {
	c := exec.CommandContext(ctx, "go", "build", "-ldflags=-s", "-overlay", filepath.Join(p.dir, "overlay.json"), "-o", p.file, "./"+programFolder)
	endsOnInterrupt(c)
	var out bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &out, &out
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("build a program with the model: %w\n%s", err, bytes.TrimSpace(out.Bytes()))
	}
	return nil
}

// endGrace is how long a program may take to end after a signal.
const endGrace = 10 * time.Second

// endsOnInterrupt makes the end of a command's context interrupt its process, which can then remove its files.
func endsOnInterrupt(c *exec.Cmd) {
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = endGrace
}

func (p *built) remove() { _ = os.RemoveAll(p.dir) } // a temporary folder that is left harms nothing

// run runs the program and calls a function with each event.
func (p *built) run(ctx context.Context, r program.Request, stderr io.Writer, handle func(program.Event) error) error {
	c := exec.CommandContext(ctx, p.file)
	endsOnInterrupt(c)
	c.Stderr = stderr
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	err = json.NewEncoder(in).Encode(r)
	if err == nil {
		err = receive(out, handle)
	}
	_ = in.Close() // the program ends if it has not
	ended := c.Wait()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return err
	case ended != nil:
		return fmt.Errorf("the program ended: %w", ended)
	}
	return nil
}

// receive reads events to the end. An error of the program is the last event.
func receive(from io.Reader, handle func(program.Event) error) error {
	for events := json.NewDecoder(from); ; {
		var e program.Event
		err := events.Decode(&e)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the output of the program: %w", err)
		case e.Error != "":
			return errors.New(e.Error)
		}
		if err := handle(e); err != nil {
			return err
		}
	}
}
