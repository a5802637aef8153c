package catalog

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/migrate/internal/ddl"
	"github.com/cassaml/cassaml/migrate/internal/lex"

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
			if err := k.Step(f, s); err != nil {
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

// Step executes one statement of a file. Errors are as those of [Replay].
func (k *Keyspace) Step(f folder.File, s folder.Statement) error {
	if s.Func != "" {
		o := k.ordering()
		o.calls = append(o.calls, s.Func)
		return nil
	}
	if why := noStatement(s.Text); why != "" {
		return at(f, s.Offset, why+"; the server would refuse this: fix it")
	}
	parsed, err := ddl.Parse(s.Text)
	if parsed == nil || parsed.On().Keyspace != "" {
		return nil
	}
	if e, ok := errors.AsType[*ddl.ParseError](err); ok {
		return at(f, s.Offset+e.Offset, e.Reason+"; write the statement as CQL has it")
	}
	if err := k.foreign(parsed); err != nil {
		return at(f, s.Offset, err.Error()+": write the statement there, and share the type with -- aml:shared")
	}
	if err := k.Execute(parsed); err != nil {
		return at(f, s.Offset, err.Error()+"; the server would refuse this: fix it, or what comes before it")
	}
	k.ordering().follow(k, parsed)
	return nil
}

// Apply changes the keyspace as the server would execute a statement. What cannot be read and what the server would refuse is an
// error, after which the keyspace is of no use. Known is false for a statement that changes no type, table or index of the
// keyspace at hand.
func (k *Keyspace) Apply(cql string) (known bool, err error) {
	s, err := ddl.Parse(cql)
	if s == nil || s.On().Keyspace != "" {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	return true, k.Execute(s)
}

// Execute changes the keyspace as the server would. What it would refuse is an error, after which the keyspace is of no use.
func (k *Keyspace) Execute(s ddl.Statement) error {
	switch s := s.(type) {
	case *ddl.CreateType:
		return k.createType(s)
	case *ddl.AddField:
		return k.addField(s)
	case *ddl.RenameFields:
		return k.renameFields(s)
	case *ddl.DropType:
		return k.dropType(s)
	case *ddl.CreateTable:
		return k.createTable(s)
	case *ddl.AddColumns:
		return k.addColumns(s)
	case *ddl.DropColumns:
		return k.dropColumns(s)
	case *ddl.RenameColumns:
		return k.renameColumns(s)
	case *ddl.SetProperties:
		return k.setProperties(s)
	case *ddl.DropTable:
		return k.dropTable(s)
	case *ddl.CreateIndex:
		return k.createIndex(s)
	case *ddl.DropIndex:
		return k.dropIndex(s)
	case *ddl.CreateView:
		return k.createView(s)
	case *ddl.DropView:
		return k.dropView(s)
	}
	return fmt.Errorf("statement %T is not known", s)
}

// at places what is wrong in a file.
func at(f folder.File, offset int, reason string) *folder.SyntaxError {
	before := f.Text[:offset]
	return &folder.SyntaxError{
		File: f.Name, Line: 1 + strings.Count(before, "\n"), Column: offset - strings.LastIndexByte(before, '\n'), Reason: reason,
	}
}

// verbs are the words that a statement of CQL begins with.
var verbs = wordsOf(`add alter begin create delete desc describe drop grant insert list revoke select truncate update use`)

// commands are words that cqlsh takes and no server knows.
var commands = wordsOf(`capture clear cls consistency copy debug elapsed exit expand help history login paging quit serial show source
	tracing unicode`)

// noStatement returns why a text cannot be a statement of CQL, by its first word; "" where it can be one.
func noStatement(text string) string {
	words := lex.Words(text)
	if len(words) == 0 {
		return ""
	}
	switch word := strings.ToLower(words[0].Text); {
	case words[0].Kind == lex.WordToken && verbs[word]:
		return ""
	case commands[word]:
		return words[0].Text + " is a command of cqlsh, and none of CQL: take it out"
	}
	return "no statement of CQL begins with " + words[0].Text
}

func wordsOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
