package codec

import (
	"fmt"
	"reflect"
	"unsafe"
)

// page runs a driver's own iterator, of type I, over rows in memory repeatedly. C describes a column. The driver has no API for it, so
// the fields of the iterator are set by name. A driver without these fields, or with other types, is an error.
type page[I, C any] struct {
	columns []C
	content []byte
	iter    I
	position,
	rows *int
	closed *int32
	rest   *[]byte // unread content
	framer reflect.Value
	full   reflect.Value
}

// newPage returns a page of rows, whose values follow one another, each after its length.
func newPage[I, C any](columns []C, rows int, content []byte) (*page[I, C], error) {
	p := &page[I, C]{columns: columns, content: content}
	v := reflect.ValueOf(&p.iter).Elem()
	f := fields{}
	p.position, p.rows = fieldPointer[int](&f, v, "pos"), fieldPointer[int](&f, v, "numRows")
	p.closed = fieldPointer[int32](&f, v, "closed")
	meta := f.find(v, "meta", reflect.Struct)
	framer := f.find(v, "framer", reflect.Pointer)
	if f.err != nil {
		return nil, f.err
	}
	p.framer, p.full = framer, reflect.New(framer.Type().Elem())
	p.rest = fieldPointer[[]byte](&f, p.full.Elem(), "buf")
	list := fieldPointer[[]C](&f, meta, "columns")
	count, actual := fieldPointer[int](&f, meta, "colCount"), fieldPointer[int](&f, meta, "actualColCount")
	if f.err != nil {
		return nil, f.err
	}
	*p.rows, *list, *count, *actual = rows, columns, len(columns), len(columns)
	return p, nil
}

// open returns the iterator before the first row. There is one iterator at a time.
func (p *page[I, C]) open() *I {
	*p.position, *p.closed, *p.rest = 0, 0, p.content
	p.framer.Set(p.full) // Close removes it
	return &p.iter
}

// fields finds unexported fields, and keeps an error for the first that is missing.
type fields struct{ err error }

func (f *fields) find(v reflect.Value, name string, kind reflect.Kind) reflect.Value {
	if f.err != nil {
		return reflect.Value{}
	}
	field := v.FieldByName(name)
	if !field.IsValid() || field.Kind() != kind {
		f.err = fmt.Errorf("codec: %s has no %v %s: this benchmark supports gocql 1.7.0 and Apache's driver 2.1.2", v.Type(), kind, name)
		return reflect.Value{}
	}
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

func fieldPointer[T any](f *fields, v reflect.Value, name string) *T {
	field := f.find(v, name, reflect.TypeFor[T]().Kind())
	if f.err != nil {
		return nil
	}
	p, ok := reflect.TypeAssert[*T](field.Addr())
	if !ok {
		f.err = fmt.Errorf("codec: %s.%s is a %s: this benchmark supports gocql 1.7.0 and Apache's driver 2.1.2", v.Type(), name, field.Type())
	}
	return p
}
