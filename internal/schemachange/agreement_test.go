package schemachange

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersions(t *testing.T) {
	for name, c := range map[string]struct {
		own, peers map[string]string
		one        bool
		late       map[string]string
	}{
		"one node":            {map[string]string{"a": "1"}, nil, true, map[string]string{}},
		"all agree":           {map[string]string{"a": "1", "b": "1"}, map[string]string{"b": "1"}, true, map[string]string{}},
		"peers lag behind":    {map[string]string{"a": "1", "b": "1"}, map[string]string{"b": "0"}, true, map[string]string{}},
		"two differ":          {map[string]string{"a": "1", "b": "2"}, map[string]string{"b": "1"}, false, nil},
		"one is down":         {map[string]string{"a": "1", "b": "1"}, map[string]string{"b": "1", "c": "0"}, true, map[string]string{"c": "0"}},
		"far away and agrees": {map[string]string{"a": "1"}, map[string]string{"c": "1"}, true, map[string]string{}},
		"nobody":              {nil, map[string]string{"c": "1"}, false, nil},
	} {
		v := versions{own: c.own, peers: c.peers}
		assert.Equal(t, c.one, v.one(), name)
		if c.one {
			assert.Equal(t, c.late, v.late(), name)
			assert.Equal(t, "1", v.first(), name)
		}
	}
	assert.EqualError(t, versions{}.fault(), "no node answered")
	assert.EqualError(t, versions{own: map[string]string{"b": "2", "a": "1"}}.fault(), "node a has 1; b has 2")
}

// Agree waits for a node that is down once, and again if its version changes.
func TestExpected(t *testing.T) {
	n := &Nodes{}
	assert.True(t, n.expected(nil))
	assert.False(t, n.expected(map[string]string{"c": "0"}))
	n.away = map[string]string{"c": "0"}
	assert.True(t, n.expected(map[string]string{"c": "0"}))
	assert.False(t, n.expected(map[string]string{"c": "1"}))
	assert.False(t, n.expected(map[string]string{"c": "0", "d": "0"}))
}
