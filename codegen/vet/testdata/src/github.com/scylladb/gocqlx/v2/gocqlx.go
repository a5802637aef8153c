package gocqlx

type Session struct{}

type Queryx struct{}

func (Session) ContextQuery(ctx any, stmt string, names []string) *Queryx { return nil }

func (Session) Query(stmt string, names []string) *Queryx { return nil }

func (Session) ExecStmt(stmt string) error { return nil }
