package graphviz

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed" // the WebAssembly
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

//go:embed graphviz.wasm.gz
var compressed []byte

// Point is a position in points, from the left and from the top.
type Point struct{ X, Y float64 }

// Layout is a graph with positions.
type Layout struct {
	Width, Height float64
	Nodes         map[string]Point    // the centres of the nodes, by name
	Clusters      map[string][2]Point // the left upper and the right lower corners of the clusters, by name
	Edges         map[string][]Point  // the control points of the splines of the edges, by the attribute id
}

// Dot lays out a graph in the language of Graphviz. Edges that are read from the layout have an attribute id and no arrowheads.
func Dot(graph string) (*Layout, error) {
	load := interpreted
	if work.Add(int64(len(graph))) > mostInterpreted {
		load = compiled
	}
	return dot(load, graph)
}

// mostInterpreted is the length of the graphs of a process that are interpreted. Beyond it, the compilation costs less than it saves.
const mostInterpreted = 10_000

// work is the length of the graphs that the process has laid out.
var work atomic.Int64

func dot(load func() (*engine, error), graph string) (*Layout, error) {
	e, err := load()
	if err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	data, err := e.render(graph)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

// engine is Graphviz, which keeps state between calls and serves one at a time.
type engine struct {
	sync.Mutex
	module  api.Module
	context uint64
	output  *bytes.Buffer // its messages
	err     error
}

// The engines. Loading the interpreted one takes 0.1 s. Loading the compiled one takes 0.6 s, but it is 20 to 50 times as fast.
var (
	interpreted = sync.OnceValues(func() (*engine, error) { return newEngine(wazero.NewRuntimeConfigInterpreter()) })
	compiled    = sync.OnceValues(func() (*engine, error) { return newEngine(wazero.NewRuntimeConfig()) })
)

// newEngine loads Graphviz.
func newEngine(config wazero.RuntimeConfig) (*engine, error) {
	e := &engine{output: &bytes.Buffer{}}
	if err := e.instantiate(context.Background(), config); err != nil {
		return nil, fmt.Errorf("graphviz: %w", err)
	}
	e.context = e.call("gvContext")
	for _, plugin := range []string{"gvplugin_dot_layout_LTX_library", "gvplugin_core_LTX_library"} {
		e.call("gvAddLibrary", e.context, e.module.ExportedGlobal(plugin).Get())
	}
	if e.err != nil {
		return nil, e.err
	}
	return e, nil
}

func (e *engine) instantiate(ctx context.Context, config wazero.RuntimeConfig) error {
	unpacked, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return err
	}
	code, err := io.ReadAll(unpacked)
	if err != nil {
		return err
	}
	r := wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return err
	}
	compiled, err := r.CompileModule(ctx, code)
	if err != nil {
		return err
	}
	if err := callbacks(ctx, r, compiled); err != nil {
		return err
	}
	start := wazero.NewModuleConfig().WithStartFunctions("_initialize").WithStdout(e.output).WithStderr(e.output)
	e.module, err = r.InstantiateModule(ctx, compiled, start)
	return err
}

// callbacks defines the functions of Go that the file imports. They are for plugins that are written in Go: none is called here.
func callbacks(ctx context.Context, r wazero.Runtime, compiled wazero.CompiledModule) error {
	env := r.NewHostModuleBuilder("env")
	for _, f := range compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		if module != "env" {
			continue
		}
		unexpected := api.GoModuleFunc(func(context.Context, api.Module, []uint64) { panic("unexpected call of " + name) })
		env = env.NewFunctionBuilder().WithGoModuleFunction(unexpected, f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	_, err := env.Instantiate(ctx)
	return err
}

// render returns the graph with its layout in JSON.
func (e *engine) render(graph string) ([]byte, error) {
	e.err = nil
	e.output.Reset()
	text, name, format, out := e.text(graph), e.text("dot"), e.text("json0"), e.call("calloc", 2, 4)
	g := e.call("agmemread", text)
	if e.err == nil && g == 0 {
		e.err = errors.New("invalid graph")
	}
	e.check(e.call("gvLayout", e.context, g, name))
	e.check(e.call("gvRenderData", e.context, g, format, out, out+4))
	at, size := e.number(out), e.number(out+4)
	var data []byte
	if e.err == nil {
		found, _ := e.module.Memory().Read(at, size)
		data = bytes.Clone(found)
	}
	e.call("gvFreeRenderData", uint64(at))
	e.call("gvFreeLayout", e.context, g)
	e.call("agclose", g)
	for _, p := range []uint64{text, name, format, out} {
		e.call("free", p)
	}
	if e.err != nil {
		return nil, fmt.Errorf("graphviz: %w: %s", e.err, strings.TrimSpace(e.output.String()))
	}
	return data, nil
}

// call calls a function of Graphviz. After an error it calls none.
func (e *engine) call(name string, args ...uint64) uint64 {
	if e.err != nil {
		return 0
	}
	results, err := e.module.ExportedFunction(name).Call(context.Background(), args...)
	if err != nil {
		e.err = fmt.Errorf("%s: %w", name, err)
	}
	if err != nil || len(results) == 0 {
		return 0
	}
	return results[0]
}

// check records an error if a function has not returned 0.
func (e *engine) check(status uint64) {
	if status != 0 && e.err == nil {
		e.err = errors.New("the graph cannot be laid out")
	}
}

// text copies a text to the memory of Graphviz.
func (e *engine) text(s string) uint64 {
	p := e.call("malloc", uint64(len(s)+1))
	if e.err == nil {
		e.module.Memory().Write(uint32(p), append([]byte(s), 0))
	}
	return p
}

func (e *engine) number(at uint64) uint32 {
	n, _ := e.module.Memory().ReadUint32Le(uint32(at))
	return n
}

// parse reads a layout in JSON, whose vertical axis begins at the bottom.
func parse(data []byte) (*Layout, error) {
	var in struct {
		BB      string `json:"bb"`
		Objects []struct {
			Name string `json:"name"`
			Pos  string `json:"pos"`
			BB   string `json:"bb"`
		} `json:"objects"`
		Edges []struct {
			ID  string `json:"id"`
			Pos string `json:"pos"`
		} `json:"edges"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("graphviz: read the layout: %w", err)
	}
	page, err := box(in.BB, 0)
	if err != nil {
		return nil, err
	}
	out := &Layout{Width: page[1].X, Height: -page[0].Y, Nodes: map[string]Point{}, Clusters: map[string][2]Point{}, Edges: map[string][]Point{}}
	for _, o := range in.Objects {
		if o.BB != "" {
			if out.Clusters[o.Name], err = box(o.BB, out.Height); err != nil {
				return nil, err
			}
			continue
		}
		at, err := points(o.Pos, out.Height)
		if err != nil {
			return nil, err
		}
		out.Nodes[o.Name] = at[0]
	}
	for _, e := range in.Edges {
		if out.Edges[e.ID], err = points(e.Pos, out.Height); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// box reads the corners of a box: left, lower, right, upper.
func box(s string, height float64) (out [2]Point, err error) {
	c := strings.Split(s, ",")
	if len(c) != 4 {
		return out, fmt.Errorf("graphviz: read the layout: %q", s)
	}
	corners, err := points(c[0]+","+c[3]+" "+c[2]+","+c[1], height)
	if err != nil {
		return out, err
	}
	return [2]Point{corners[0], corners[1]}, nil
}

// points reads positions such as 1,2 3,4.
func points(s string, height float64) (out []Point, err error) {
	for _, pair := range strings.Fields(s) {
		x, y, _ := strings.Cut(pair, ",")
		px, err := strconv.ParseFloat(x, 64)
		if err != nil {
			return nil, fmt.Errorf("graphviz: read the layout: %w", err)
		}
		py, err := strconv.ParseFloat(y, 64)
		if err != nil {
			return nil, fmt.Errorf("graphviz: read the layout: %w", err)
		}
		out = append(out, Point{px, height - py})
	}
	if out == nil {
		return nil, errors.New("graphviz: read the layout: a position is missing")
	}
	return out, nil
}
