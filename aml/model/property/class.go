package property

import (
	"fmt"
	"strings"
)

// own is the package of the server's classes, and packages are the packages of the classes that have short names.
const own = "org.apache.cassandra."

var packages = map[string]string{"compaction": own + "db.compaction.", "compression": own + "io.compress."}

// Foreign reports whether a class does not belong to the server. Its options are not checked.
func Foreign(class string) bool {
	return strings.Contains(class, ".") && !strings.HasPrefix(class, own)
}

// ShortClass returns the name of a class of compaction or compression without the server's own package.
func ShortClass(class string) string {
	for _, p := range packages {
		class = strings.TrimPrefix(class, p)
	}
	return class
}

// noClass returns the fault of a map without a class, or with a class that does not belong to the server.
func noClass[V any](name string, entries map[string]string, known map[string]V) Fault {
	class, named := entries["class"]
	if !named {
		return Fault{What: fmt.Sprintf("%s has no class: use one of %s", name, names(known))}
	}
	return Fault{Entry: "class", What: fmt.Sprintf("invalid class %[2]q of %[1]s: use one of %[3]s", name, class, names(known)), Local: Foreign(class)}
}

// withoutClass returns the entries other than the class.
func withoutClass(entries map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range entries {
		if k != "class" {
			out[k] = v
		}
	}
	return out
}
