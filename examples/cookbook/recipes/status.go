package recipes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/cassaml/cassaml/mapper"
)

// Status returns the HTTP status that answers an error of a store, and the text for the client, which does not have the keys and values of the error.
// It tests first whether the outcome of a write is unknown: such an error can wrap context.DeadlineExceeded. Test for errors of your own before.
func Status(err error) (status int, text string) {
	switch {
	case err == nil:
		return http.StatusOK, ""
	case mapper.OutcomeUnknown(err):
		return http.StatusServiceUnavailable, "it is unknown whether this was saved: read before you try again"
	case isType[*mapper.ConstraintError](err):
		return http.StatusUnprocessableEntity, "a value is not allowed"
	case isType[*mapper.BatchTooLargeError](err):
		return http.StatusRequestEntityTooLarge, "the value is too large"
	case isType[*mapper.PendingError](err):
		return http.StatusAccepted, "the deletion goes on"
	case errors.Is(err, mapper.ErrExists), errors.Is(err, mapper.ErrConflict), isType[*mapper.DuplicateError](err), isType[*mapper.HeldError](err):
		return http.StatusConflict, "another request has changed this, or refers to it"
	case isType[*mapper.ReferenceError](err), isType[*mapper.DecodeError](err), errors.Is(err, mapper.ErrKeyChanged):
		return http.StatusInternalServerError, "an error of the service"
	case errors.Is(err, mapper.ErrNotFound):
		return http.StatusNotFound, "not found"
	case errors.Is(err, mapper.ErrPageToken):
		return http.StatusBadRequest, "begin with the first page"
	case errors.Is(err, mapper.ErrBusy), errors.Is(err, mapper.ErrUnfilled), isType[*mapper.ClockError](err):
		return http.StatusServiceUnavailable, "try again in some seconds"
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout, "try again"
	}
	return http.StatusServiceUnavailable, "try again" // an error of the driver: log it
}

// isType reports whether an error is or wraps an error of a type.
func isType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func status(ctx context.Context, s *Store, out io.Writer) error {
	ended, cancel := context.WithTimeout(ctx, 0)
	defer cancel()
	if err := Register(ctx, s, &Account{ID: number(1), Email: "ana@example.com", Password: []byte("hash")}); err != nil {
		return err
	}
	for _, x := range []struct {
		request string
		err     error
	}{
		{"an account that exists", s.Accounts.Insert(ctx, &Account{ID: number(1), Email: "eva@example.com", Password: []byte("hash")})},
		{"an e-mail of another", s.Accounts.Insert(ctx, &Account{ID: number(2), Email: "ana@example.com", Password: []byte("hash")})},
		{"no password", s.Accounts.Insert(ctx, &Account{ID: number(3), Email: "rui@example.com"})},
		{"no such account", onlyError(s.Accounts.Get(ctx, number(4)))},
		{"no time", onlyError(s.Accounts.Get(ended, number(1)))},
	} {
		code, text := Status(x.err)
		fmt.Fprintf(out, "%s: %d %s\n", x.request, code, text)
	}
	return nil
}

// onlyError returns the error of a call.
func onlyError[T any](_ T, err error) error { return err }
