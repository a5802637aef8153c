package store

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerifyProtocol(t *testing.T) {
	for version := range 6 {
		require.Equal(t, 0 < version && version < 4, verifyProtocol(version) != nil, version)
	}
}

func TestVerifyVersion(t *testing.T) {
	for version, want := range map[string]string{
		"4.1.10": "mapper: node 10.0.0.1 runs Cassandra 4.1.10, 5.0 or later is needed: a store reads write times with MAXWRITETIME",
		"x":      "mapper: node 10.0.0.1 runs Cassandra x, 5.0 or later is needed: a store reads write times with MAXWRITETIME",
	} {
		require.EqualError(t, verifyVersion("10.0.0.1", version), want)
	}
	for _, version := range []string{"5.0.8", "5.0.9", "5.0-rc1", "6.0-alpha2", "10.1", ""} {
		require.NoError(t, verifyVersion("10.0.0.1", version), version)
	}
}
