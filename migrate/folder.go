package migrate

import "io/fs"

// File is a migration of a folder, as tools look at it.
type File struct {
	Name       string // 0002_add_email.cql
	Number     int
	Text       string      // without a byte order mark, lines ended by \n
	Statements []Statement // and the calls of functions, in their places
	Directives []Directive
	Misspelt   []Misspelling
	Shared     []Shared // types of other folders
}

// ReadFolder returns the migrations of a folder, ordered and cut into statements, without running anything. What [Up]
// refuses in a folder whatever is applied is an error here too; a folder without migrations is none.
func ReadFolder(fsys fs.FS) ([]File, error) {
	files, err := readFiles(fsys)
	if err != nil {
		return nil, err
	}
	if err := checkSum(fsys, files); err != nil {
		return nil, err
	}
	if err := splitFilled(files); err != nil {
		return nil, err
	}
	var out []File
	for _, f := range files {
		out = append(out, File{Name: f.name, Number: f.number, Text: f.text, Statements: f.statements, Directives: f.directives, Misspelt: f.misspelt, Shared: f.shared})
	}
	return out, nil
}
