package shared

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each session has one map, and none is shared with a session that is nil.
func TestMap(t *testing.T) {
	type session struct{ name string }
	a, b := &session{"a"}, &session{"b"}
	first := Map(a)
	require.Same(t, first, Map(a))
	require.NotSame(t, first, Map(b))
	ofNil := Map[session](nil)
	require.NotSame(t, ofNil, Map[session](nil))
}
