package gocqldriver

import (
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"
)

// The bytes from the driver have a capacity that includes the next column.
func TestValueIsCut(t *testing.T) {
	frame := []byte("onetwo")
	var v []byte
	into := Values.Value(&v).(gocql.Unmarshaler)
	require.NoError(t, into.UnmarshalCQL(nil, frame[:3]))
	require.Equal(t, "onex", string(append(v, 'x')))
	require.Equal(t, "onetwo", string(frame))
	require.NoError(t, into.UnmarshalCQL(nil, nil))
	require.Nil(t, v)
}
