package migrate_test

import (
	"testing"

	"github.com/cassaml/cassaml/integration/cassandra"
)

func TestMain(m *testing.M) { cassandra.Main(m) }
