package explain

// Cause is the reason for a request that keeps references, or fields that other roots follow, right. Its condition is a text, too.
type Cause int

// The causes.
const (
	NoCause        Cause = iota // any other request
	AddsReferences              // the save adds references
	AddedTarget                 // a read for each root to which an added reference refers
	FollowedTarget              // a read for each root whose fields the row follows
	CopiedTarget                // a read for each root whose fields the row copies once
	FollowedChange              // Request.Fields, which other roots follow, change
	KeptReferences              // the row is inserted, and roots can still refer to its key
	Follower                    // a request for each root that follows the row
	ReferringRows               // a read of the references to the row that is deleted, for each bucket
	Referring                   // a request for each root that refers to the row that is deleted
)
