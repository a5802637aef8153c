package diff

import (
	"errors"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// ErrRefused is what a *[RefusedError] is, for callers that do not look into it.
var ErrRefused = errors.New("the model cannot be reached by ALTER")

// RefusedError lists all changes of a model that the server refuses for a table or a type that keeps its name, in the order
// of the source: where in the Go source each is, what is wrong and how to fix it.
type RefusedError struct {
	Refusals []model.Diagnostic
}

// Error returns one line for each.
func (e *RefusedError) Error() string {
	var lines []string
	for _, d := range e.Refusals {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// Is reports whether target is [ErrRefused].
func (e *RefusedError) Is(target error) bool { return target == ErrRefused }

// The refusals.
var (
	RefusedKey       = model.Rule{Code: "MIG001", Title: "another primary key"}
	RefusedType      = model.Rule{Code: "MIG002", Title: "another type of a column"}
	RefusedKind      = model.Rule{Code: "MIG003", Title: "a column that becomes static, or ceases to be"}
	RefusedReturn    = model.Rule{Code: "MIG004", Title: "a column that was dropped comes back as something else"}
	RefusedDrop      = model.Rule{Code: "MIG005", Title: "a column that cannot be dropped"}
	RefusedCounter   = model.Rule{Code: "MIG006", Title: "counters beside other columns"}
	RefusedFields    = model.Rule{Code: "MIG007", Title: "a field of a type that goes, moves or comes in between"}
	RefusedFieldType = model.Rule{Code: "MIG008", Title: "another type of a field"}
	RefusedGrowth    = model.Rule{Code: "MIG009", Title: "another field of a type that a partition key holds"}
	RefusedTypeName  = model.Rule{Code: "MIG010", Title: "another name of a type"}
	RefusedRename    = model.Rule{Code: "MIG011", Title: "names that change places"}
	RefusedIndex     = model.Rule{Code: "MIG012", Title: "an index that is there under another name"}
)

// Rules lists the refusals in the order of their codes.
func Rules() []model.Rule {
	return []model.Rule{
		RefusedKey, RefusedType, RefusedKind, RefusedReturn, RefusedDrop, RefusedCounter, RefusedFields, RefusedFieldType,
		RefusedGrowth, RefusedTypeName, RefusedRename, RefusedIndex,
	}
}
