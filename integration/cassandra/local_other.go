//go:build !unix

package cassandra

import (
	"context"
	"errors"
	"io"
	"runtime"
)

type local struct{}

// findLocal returns an error: the server ends by means of a FIFO, file locks and sessions of processes.
func findLocal(context.Context, Config) (local, error) {
	return local{}, errors.New("not on " + runtime.GOOS + ", which is not a Unix")
}

func (local) awaitTurn(context.Context) (io.Closer, error) {
	return nil, errors.New("not on " + runtime.GOOS)
}

func (local) launchCluster(context.Context, layout) (*Cluster, error) {
	return nil, errors.New("not on " + runtime.GOOS)
}

func (local) dump(context.Context, string, string) ([]byte, error) {
	return nil, errors.New("not on " + runtime.GOOS)
}

func (local) start(context.Context) (*Server, error) {
	return nil, errors.New("not on " + runtime.GOOS)
}
