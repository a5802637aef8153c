package reconcile

import (
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
)

// rootCheck examines rows of a root in a run.
type rootCheck struct {
	*run
	r call.Root
}

func (x *run) newRootCheck(r call.Root) rootCheck { return rootCheck{x, r} }

// copyCheck examines rows of a copy of a root.
type copyCheck struct {
	rootCheck
	c *plan.Projection
}

func (x *run) newCopyCheck(r call.Root, c *plan.Projection) copyCheck {
	return copyCheck{x.newRootCheck(r), c}
}

// rowCheck examines one row of a versioned root, and the rows that derive from it.
type rowCheck struct {
	*run
	w *save.Call
}

func (x *run) newRowCheck(w *save.Call) rowCheck { return rowCheck{x, w} }
