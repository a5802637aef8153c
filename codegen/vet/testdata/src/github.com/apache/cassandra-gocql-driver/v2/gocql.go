package gocql

type Session struct{}

type Query struct{}

type QueryInfo struct{}

type Batch struct{}

func (*Session) Query(stmt string, values ...any) *Query { return nil }

func (*Session) Bind(stmt string, b func(*QueryInfo) ([]any, error)) *Query { return nil }

func (*Batch) Query(stmt string, args ...any) *Batch { return nil }

func (*Batch) Bind(stmt string, b func(*QueryInfo) ([]any, error)) {}

func (*Query) Bind(values ...any) *Query { return nil }
