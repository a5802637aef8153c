package servererror_test

import (
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/assert"

	"github.com/cassaml/cassaml/internal/servererror"
)

func TestCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code                          int
		permanent, refused, statement bool
	}{
		{gocql.ErrCodeSyntax, true, true, true},
		{gocql.ErrCodeInvalid, true, true, true},
		{gocql.ErrCodeUnauthorized, true, true, true},
		{gocql.ErrCodeConfig, true, true, true},
		{gocql.ErrCodeProtocol, true, true, false},
		{gocql.ErrCodeCredentials, false, true, true},
		{gocql.ErrCodeAlreadyExists, false, true, true},
		{gocql.ErrCodeBootstrapping, false, true, true},
		{gocql.ErrCodeUnavailable, false, true, false},
		{gocql.ErrCodeServer, false, false, false},
		{gocql.ErrCodeOverloaded, false, false, false},
		{gocql.ErrCodeTruncate, false, false, false},
		{gocql.ErrCodeWriteTimeout, false, false, false},
		{gocql.ErrCodeReadTimeout, false, false, false},
		{gocql.ErrCodeWriteFailure, false, false, false},
		{gocql.ErrCodeCASWriteUnknown, false, false, false},
		{gocql.ErrCodeUnprepared, false, false, false},
	} {
		assert.Equal(t, c.permanent, servererror.Permanent(c.code), "%#x", c.code)
		assert.Equal(t, c.refused, servererror.Refused(c.code), "%#x", c.code)
		assert.Equal(t, c.statement, servererror.RefusedAny(c.code), "%#x", c.code)
	}
}
