package systemschema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/systemschema"
)

func TestBefore(t *testing.T) {
	for release, want := range map[string][2]bool{ // before 4.1, before 5.0
		"":             {false, false},
		"x":            {true, true},
		"3.11.19":      {true, true},
		"4.0.1":        {true, true},
		"4.1-alpha1":   {false, true},
		"4.1.10":       {false, true},
		"4.10.0":       {false, true},
		"5.0-rc1":      {false, false},
		"5.0.8":        {false, false},
		"6.0-alpha2":   {false, false},
		"10.1":         {false, false},
		"5":            {false, false},
		"4.1-SNAPSHOT": {false, true},
	} {
		n := systemschema.Node{Address: "10.0.0.1", Release: release}
		require.Equal(t, want, [2]bool{n.Before(4, 1), n.Before(5, 0)}, release)
	}
}
