package folder_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/cassaml/cassaml/migrate/folder"
)

// A file is added to a folder. An edit of an earlier file is then detected.
func Example() {
	dir, err := os.MkdirTemp("", "migrations")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	add := func(name string, statements ...string) error {
		number, err := folder.Next(os.DirFS(dir))
		if err != nil {
			return err
		}
		file, err := folder.FileName(number, name)
		if err != nil {
			return err
		}
		fmt.Println("write", file)
		return folder.Write(dir, file, statements)
	}

	fmt.Println(add("init", "CREATE TABLE IF NOT EXISTS customers (id uuid PRIMARY KEY, name text)"))
	fmt.Println(add("add_email", "ALTER TABLE customers ADD IF NOT EXISTS email text"))
	fmt.Println(os.WriteFile(dir+"/0002_add_email.cql", []byte("-- nothing\n"), 0o644))
	fmt.Println(add("add_phone", "ALTER TABLE customers ADD IF NOT EXISTS phone text"))
	// Output:
	// write 0001_init.cql
	// <nil>
	// write 0002_add_email.cql
	// <nil>
	// <nil>
	// write 0003_add_phone.cql
	// migrate: 0002_add_email.cql: was changed: it does not match aml.sum; restore it, or, if the change is intended, update aml.sum with aml migrate sum
}

func ExampleSplit() {
	statements, err := folder.Split(`-- customers; and who writes to them
CREATE TABLE customers (id int PRIMARY KEY, name text);
BEGIN BATCH
  INSERT INTO customers (id, name) VALUES (1, 'Ana; Eva');
  INSERT INTO customers (id, name) VALUES (2, $$O'Hara$$);
APPLY BATCH;
DROP TABLE old`)
	for _, s := range statements {
		first, _, _ := strings.Cut(s.Text, "\n")
		fmt.Printf("%d, line %d: %s\n", s.Number, s.Line, first)
	}
	fmt.Println(err)
	_, err = folder.Split("INSERT INTO customers (id, name)\nVALUES (3, 'Ivo)")
	fmt.Println(err)
	// Output:
	// 1, line 2: CREATE TABLE customers (id int PRIMARY KEY, name text)
	// 2, line 3: BEGIN BATCH
	// 3, line 7: DROP TABLE old
	// <nil>
	// 2:12: string is not closed
}

func ExampleFileName() {
	fmt.Println(folder.FileName(3, "orders_by_day"))
	fmt.Println(folder.FileName(3, "Orders by day"))
	// Output:
	// 0003_orders_by_day.cql <nil>
	//  migrate: 0003_Orders by day.cql: is not named NNNN_lower_snake_name.cql
}
