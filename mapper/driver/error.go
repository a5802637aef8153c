package driver

import "errors"

// Error is a failed request. It has the message of the driver's error, which errors.As finds in it.
type Error struct {
	Class       Class
	Code        int         // set for Answered
	Message     string      // set for Answered: of the server
	Consistency Consistency // set for Unavailable and for time-outs of a server: the level of the phase that failed
	Err         error       // the driver's error
}

// Error returns the message of the driver.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error of the driver.
func (e *Error) Unwrap() error { return e.Err }

// Class describes the known outcome of a failed request.
type Class uint8

// The classes.
const (
	Failed       Class = iota // nothing is known
	Answered                  // a server has answered with a Code
	NotConnected              // there was no connection: nothing was sent
	NoStream                  // the connection has no free stream: nothing was sent
	Closed                    // the session is closed: nothing was sent
	Unsendable                // the driver cannot send the request, and could not send it again: a value has no encoding, the frame is too large
	NoAnswer                  // no answer arrived in time
	Disconnected              // the connection broke
)

// The codes of answers, as in the specification of the native protocol.
const (
	CodeServer          = 0x0000
	CodeProtocol        = 0x000A
	CodeCredentials     = 0x0100
	CodeUnavailable     = 0x1000
	CodeOverloaded      = 0x1001
	CodeBootstrapping   = 0x1002
	CodeTruncate        = 0x1003
	CodeWriteTimeout    = 0x1100
	CodeReadTimeout     = 0x1200
	CodeReadFailure     = 0x1300
	CodeFunctionFailure = 0x1400
	CodeWriteFailure    = 0x1500
	CodeCDCWriteFailure = 0x1600
	CodeCASWriteUnknown = 0x1700
	CodeSyntax          = 0x2000
	CodeUnauthorized    = 0x2100
	CodeInvalid         = 0x2200
	CodeConfig          = 0x2300
	CodeAlreadyExists   = 0x2400
	CodeUnprepared      = 0x2500
)

// NotSent reports whether an error means that a request was not sent.
func NotSent(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && (e.Class == NotConnected || e.Class == NoStream || e.Class == Closed || e.Class == Unsendable)
}

// Code returns the code of a server's answer. ok is false for every other error.
func Code(err error) (code int, ok bool) {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Class != Answered {
		return 0, false
	}
	return e.Code, true
}

// OfOneNode reports whether another node may carry out the read that failed with an error.
func OfOneNode(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	if e.Class != Answered {
		return e.Class == NoAnswer || e.Class == Disconnected || e.Class == NoStream
	}
	switch e.Code {
	case CodeUnavailable, CodeReadTimeout, CodeOverloaded, CodeBootstrapping, CodeServer:
		return true
	}
	return false
}
