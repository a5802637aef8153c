package migrate

import (
	"context"
	"testing"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/stretchr/testify/assert"
)

func TestTableMissing(t *testing.T) {
	assert.NoError(t, tableMissing(nil))
	assert.ErrorIs(t, tableMissing(&serverError{code: driver.CodeInvalid}), errNoTable)
	assert.ErrorIs(t, tableMissing(&serverError{code: driver.CodeServer}), errNoTable, "being made")
	assert.NotErrorIs(t, tableMissing(&serverError{code: driver.CodeUnavailable}), errNoTable)
	assert.NotErrorIs(t, tableMissing(context.DeadlineExceeded), errNoTable)
}

func TestRefused(t *testing.T) {
	for _, code := range []int{driver.CodeSyntax, driver.CodeInvalid, driver.CodeAlreadyExists, driver.CodeUnauthorized} {
		assert.True(t, refused(&serverError{code: code}))
	}
	for _, code := range []int{driver.CodeServer, driver.CodeWriteTimeout, driver.CodeCASWriteUnknown, driver.CodeUnavailable} {
		assert.False(t, refused(&serverError{code: code}))
	}
	assert.False(t, refused(nil))
	assert.False(t, refused(&driver.Error{Class: driver.NoAnswer, Err: errRefused}))
	assert.False(t, refused(context.Canceled))
}
