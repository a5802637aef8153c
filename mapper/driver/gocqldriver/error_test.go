package gocqldriver

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/driver"
)

// An answer names the consistency of the phase that failed: that decides whether a conditional statement can still be applied.
func TestConsistencyOfAnswers(t *testing.T) {
	for _, answer := range []gocql.RequestError{
		&gocql.RequestErrUnavailable{Consistency: gocql.Consistency(gocql.Serial)},
		&gocql.RequestErrWriteTimeout{Consistency: gocql.Consistency(gocql.Serial)},
		&gocql.RequestErrReadTimeout{Consistency: gocql.Consistency(gocql.Serial)},
		&gocql.RequestErrCASWriteUnknown{Consistency: gocql.Consistency(gocql.Serial)},
	} {
		e, ok := errors.AsType[*driver.Error](NewError(fmt.Errorf("query: %w", answer)))
		require.True(t, ok)
		require.Equal(t, driver.Answered, e.Class)
		require.Equal(t, driver.Serial, e.Consistency, "%T", answer)
		require.ErrorIs(t, e, answer)
	}
	require.NoError(t, NewError(nil))
}

// The levels have the same numbers and names as in gocql, because both are those of the protocol.
func TestConsistencies(t *testing.T) {
	for level := driver.One; level <= driver.LocalOne; level++ {
		if !level.IsSerial() {
			require.Equal(t, gocql.Consistency(level).String(), level.String())
		}
		text, err := level.MarshalText()
		require.NoError(t, err)
		var again driver.Consistency
		require.NoError(t, again.UnmarshalText(text))
		require.Equal(t, level, again)
	}
	require.Equal(t, gocql.Serial.String(), driver.Serial.String())
	require.Equal(t, gocql.LocalSerial.String(), driver.LocalSerial.String())
	require.EqualValues(t, gocql.Serial, driver.Serial)
	require.Error(t, new(driver.Consistency).UnmarshalText([]byte("SOME")))
}
