package migrate

import (
	"context"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/assert"
)

func TestTableMissing(t *testing.T) {
	assert.NoError(t, tableMissing(nil))
	assert.ErrorIs(t, tableMissing(&serverError{code: gocql.ErrCodeInvalid}), errNoTable)
	assert.ErrorIs(t, tableMissing(&serverError{code: gocql.ErrCodeServer}), errNoTable, "being made")
	assert.NotErrorIs(t, tableMissing(&serverError{code: gocql.ErrCodeUnavailable}), errNoTable)
	assert.NotErrorIs(t, tableMissing(context.DeadlineExceeded), errNoTable)
}

func TestRefused(t *testing.T) {
	for _, code := range []int{gocql.ErrCodeSyntax, gocql.ErrCodeInvalid, gocql.ErrCodeAlreadyExists, gocql.ErrCodeUnauthorized} {
		assert.True(t, refused(&serverError{code: code}))
	}
	for _, code := range []int{gocql.ErrCodeServer, gocql.ErrCodeWriteTimeout, gocql.ErrCodeCASWriteUnknown, gocql.ErrCodeUnavailable} {
		assert.False(t, refused(&serverError{code: code}))
	}
	assert.False(t, refused(nil))
	assert.False(t, refused(gocql.ErrTimeoutNoResponse))
	assert.False(t, refused(context.Canceled))
}
