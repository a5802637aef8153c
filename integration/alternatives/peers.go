package alternatives

import (
	"fmt"

	listing "github.com/cassaml/cassaml/codegen/alternatives"
)

// ByHand is the end of the names of stores that are written by hand, after the name of the design.
const ByHand = ", by hand"

// peer is a store that is written by hand for a design of clients and vehicles. It has the tables of the generated store, and the methods that the
// operations call.
type peer struct{ folder, open string } // the folder of its package, and the function that returns the store of a byhand.DB

// byHandPath is the package of the stores that are written by hand.
const byHandPath = "github.com/cassaml/cassaml/integration/bench/byhand"

// peers are the stores that are written by hand, by the names of the designs.
var peers = map[string]peer{
	"embedded-list": {"embedded", "OpenList"}, "embedded-list-partial": {"embedded", "OpenPartial"}, "embedded-list-total": {"embedded", "OpenTotal"},
	"embedded-map": {"keyed", "Open"}, "inverse": {"inverse", "Open"}, "references-from-root": {"fromclient", "Open"},
	"reference-from-element": {"fromvehicle", "Open"}, "pairs": {"referenced", "OpenPairs"},
}

// NewPeers returns the program for those designs of clients and vehicles for which package byhand has a store: with the generated store of each, and the one
// that is written by hand. The program needs a node.
func NewPeers(l *listing.Listing) (*Program, error) {
	return newProgram(l, func(design string) bool { _, ok := peers[design]; return ok }, peers)
}

// store returns the store of a design whose generated package has a name.
func (x peer) store(design, generated string) store {
	name := generated + "hand"
	return store{design: design + ByHand, name: name, path: byHandPath + "/" + x.folder,
		open: fmt.Sprintf("return %s.%s(byhand.DB{Session: session.Session}), nil", name, x.open)}
}
