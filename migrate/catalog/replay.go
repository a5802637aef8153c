package catalog

import (
	"errors"
	"strings"

	"github.com/cassaml/cassaml/migrate/folder"
)

// Replay returns the keyspace that a folder of migrations leads to, by executing its statements in order as Cassandra 5.0 would,
// IF [NOT] EXISTS included, and without a server. What changes no type, table or index is passed over, and so is a statement
// that names a keyspace: the folder does not know that of its session. What begins with no word of CQL is refused.
//
// Names, types and keys are judged as the server judges them. The values of properties, what can be indexed, the key of a
// materialized view and how a dropped column comes back are for a server to decide: aml migrate verify asks one.
//
// Some statements are refused that a server takes: those after which it could not start again (types that are named as those
// of CQL, dropped columns of vectors of user-defined types, percentiles of speculative_retry and additional_write_policy that
// it would write down as 0p or 100p), types that are named with a keyspace or as a class in quotes, and tables of compact
// storage.
//
// A statement that cannot be read, or that the server would refuse, is a *[folder.SyntaxError] with its place.
func Replay(files []folder.File) (*Keyspace, error) {
	k := &Keyspace{}
	for _, f := range files {
		if err := k.Note(f); err != nil {
			return nil, err
		}
		for _, s := range f.Statements {
			if _, err := k.Step(f, s); err != nil {
				return nil, err
			}
		}
	}
	return k, nil
}

// Note remembers what a file says beside its statements, before these are executed: what it owns by hand, what is to be
// filled, and which types belong to other folders. Errors are as those of [Replay].
func (k *Keyspace) Note(f folder.File) error {
	k.ordering().begin(f)
	for _, d := range f.Directives {
		if d.Verb != "manual" {
			continue
		}
		if k.Manual == nil {
			k.Manual = map[string]bool{}
		}
		k.Manual[d.Argument] = true
	}
	return k.share(f)
}

// Step executes one statement of a file, and gives what it was read as, nil for what changes no type, table or index.
// Errors are as those of [Replay].
func (k *Keyspace) Step(f folder.File, s folder.Statement) (Statement, error) {
	if s.Func != "" {
		o := k.ordering()
		o.calls = append(o.calls, s.Func)
		return nil, nil
	}
	if why := noStatement(s.Text); why != "" {
		return nil, at(f, s.Offset, why+"; the server would refuse this: fix it")
	}
	parsed, err := Parse(s.Text)
	if err != nil {
		var e *ParseError
		errors.As(err, &e)
		return nil, at(f, s.Offset+e.Offset, e.Reason+"; write the statement as CQL has it")
	}
	if parsed == nil {
		return nil, nil
	}
	if err := k.foreign(parsed); err != nil {
		return nil, at(f, s.Offset, err.Error()+": write the statement there, and share the type with -- aml:shared")
	}
	if err := k.Execute(parsed); err != nil {
		return nil, at(f, s.Offset, err.Error()+"; the server would refuse this: fix it, or what comes before it")
	}
	k.ordering().follow(k, parsed)
	return parsed, nil
}

// Execute changes the keyspace as the server would. What it would refuse is an error, after which the keyspace is of no use.
func (k *Keyspace) Execute(s Statement) error { return s.apply(k) }

// at places what is wrong in a file.
func at(f folder.File, offset int, reason string) *folder.SyntaxError {
	before := f.Text[:offset]
	return &folder.SyntaxError{
		File: f.Name, Line: 1 + strings.Count(before, "\n"), Column: offset - strings.LastIndexByte(before, '\n'), Reason: reason,
	}
}
