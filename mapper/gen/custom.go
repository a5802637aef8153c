package gen

import (
	"database/sql"
	"encoding"
	"errors"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// attempt calls a method of a type of the model. A panic is an error: a type may not support its zero value, and the panic of a
// goroutine that reads or writes a row of many would end the program.
func attempt[T any](method func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New(cell.PanicText(p))
		}
	}()
	return method()
}

// CQLMarshaler is a type of the model that encodes its own values, with its driver's description of their type.
type CQLMarshaler[I any] interface {
	MarshalCQL(info I) ([]byte, error)
}

// CQLUnmarshaler is a pointer to a type of the model that decodes its own values.
type CQLUnmarshaler[T, I any] interface {
	*T
	UnmarshalCQL(info I, data []byte) error
}

// EncodeCQL writes the result of MarshalCQL; nil is null. An error is a fault.
func EncodeCQL[I any](e *Encoder, v CQLMarshaler[I], info I) {
	b, err := attempt(func() ([]byte, error) { return v.MarshalCQL(info) })
	if err != nil {
		e.Refuse("cannot be encoded: " + err.Error())
		return
	}
	e.Blob(b)
}

// EncodeCQLSet writes a set that MarshalCQL returns, in the order of its element type.
func EncodeCQLSet[I any](e *Encoder, v CQLMarshaler[I], info I, of ...*Form) {
	e.Canonical(1, func() { EncodeCQL(e, v, info) }, of...)
}

// EncodeCQLMap writes a map that MarshalCQL returns, in the order of its key type.
func EncodeCQLMap[I any](e *Encoder, v CQLMarshaler[I], info I, of ...*Form) {
	e.Canonical(2, func() { EncodeCQL(e, v, info) }, of...)
}

// DecodeCQL reads a value with UnmarshalCQL, which may keep the bytes that it receives; for null they are nil. v is set to its
// zero value first, and stays zero if UnmarshalCQL refuses a null.
func DecodeCQL[T any, P CQLUnmarshaler[T, I], I any](d *Decoder, v P, info I) {
	var zero T
	*v = zero
	b := d.Blob()
	if d.Failed() {
		return
	}
	if _, err := attempt(func() (any, error) { return nil, v.UnmarshalCQL(info, b) }); err != nil {
		refuseValue(d, v, b == nil, err)
	}
}

// refuseValue handles a value that its own type refuses. A refused null becomes the zero value: rows that were written before the
// column was added have a null in it, and the type of a field that is not a pointer may not support null.
func refuseValue[T any](d *Decoder, v *T, null bool, err error) {
	var zero T
	if *v = zero; !null {
		d.Refuse("cannot be decoded: " + err.Error())
	}
}

// EncodeText writes the result of MarshalText; write encodes it as its CQL type. An error is a fault.
func EncodeText(e *Encoder, v encoding.TextMarshaler, write func(*Encoder, string)) {
	b, err := attempt(v.MarshalText)
	if err != nil {
		e.Refuse("cannot be encoded: " + err.Error())
		return
	}
	write(e, string(b))
}

// DecodeText reads a value with UnmarshalText; null is the zero value.
func DecodeText[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](d *Decoder, v P) {
	var zero T
	*v = zero
	b := d.Blob()
	if b == nil {
		return
	}
	if _, err := attempt(func() (any, error) { return nil, v.UnmarshalText(b) }); err != nil {
		d.Refuse("cannot be decoded: " + err.Error())
	}
}

// EncodeNull writes the value of a sql.Null with f, or null if it is not valid.
func EncodeNull[T any](e *Encoder, v sql.Null[T], f func(*Encoder, T)) {
	if !v.Valid {
		e.Null()
		return
	}
	f(e, v.V)
}

// DecodeNull reads a value with f into a sql.Null; null makes it not valid.
func DecodeNull[T any](d *Decoder, f func(*Decoder) T) (v sql.Null[T]) {
	if v.Valid = !d.SkipNull(); v.Valid {
		v.V = f(d)
	}
	return v
}
