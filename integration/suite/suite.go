package suite

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/internal/substitute"
	"github.com/cassaml/cassaml/mapper/driver/apachedriver"
)

// Main runs the tests of a package over the driver of AML_DRIVER, as [cassandra.Main] does over gocql.
func Main(m *testing.M) {
	switch name := os.Getenv(cassandra.DriverVariable); name {
	case "", "gocql":
	case "apache":
		substitute.Require()
		cassandra.OnSession(setApache)
	default:
		fmt.Fprintf(os.Stderr, "%s=%s: use gocql or apache\n", cassandra.DriverVariable, name)
		os.Exit(1)
	}
	cassandra.Main(m)
}

// OverApache reports whether the requests of stores and migrations go over Apache's driver.
func OverApache() bool { return os.Getenv(cassandra.DriverVariable) == "apache" }

// Close closes a session, and at once its session of Apache's driver, which is otherwise closed a moment later.
func Close(session *gocql.Session) {
	session.Close()
	if OverApache() {
		apachedriver.Session(substitute.Session(session)).Close()
	}
}

// betweenLooks is the time after which it is seen that a session of gocql is closed.
const betweenLooks = 100 * time.Millisecond

// setApache opens a session of Apache's driver with the configuration of a session of gocql, and closes it when the other one is closed.
func setApache(cluster gocql.ClusterConfig, own *gocql.Session) error {
	config, err := newCluster(&cluster)
	if err != nil {
		return err
	}
	session, err := config.CreateSession()
	if err != nil {
		return fmt.Errorf("apache's driver: %w", err)
	}
	substitute.Set(own, apachedriver.New(session))
	go func() {
		for !own.Closed() {
			time.Sleep(betweenLooks)
		}
		session.Close()
	}()
	return nil
}
