package gocql

type UUID [16]byte

type Session struct{}

type Query struct{}

type Batch struct{}

func (*Session) Query(stmt string, values ...any) *Query { return nil }

func (*Batch) Query(stmt string, args ...any) {}

func (*Query) Bind(values ...any) *Query { return nil }
