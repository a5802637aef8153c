package diffcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
)

// difference is the difference between a folder of migrations and the model.
type difference struct {
	dir   string
	name  string // the name of a new folder; "" for none
	files []folder.File
	model *model.Model
	store *modelfolder.Store
	from  *catalog.Keyspace // schema of the files
	plan  *diff.Plan

	unnamed []*migrationfolder.Neighbour // folders of imported packages without a name, if this folder has none
}

// compareFolder compares a folder with the model in the working directory.
func compareFolder(c *cobra.Command, dir, given string, beside []string) (*difference, error) {
	m, s, err := modelfolder.Read(c, ".")
	if err != nil {
		return nil, err
	}
	place, err := modelfolder.FindStore(".")
	if err != nil {
		return nil, err
	}
	name, fresh, err := migrationfolder.ReadName(c, dir, given)
	if err != nil {
		return nil, err
	}
	others, err := migrationfolder.ReadNeighbours(beside)
	if err != nil {
		return nil, err
	}
	imported, unnamed, err := migrationfolder.ReadImported(c, m, dir, name)
	if err != nil {
		return nil, err
	}
	others = append(others, imported...)
	files, err := migrationfolder.Read(dir)
	if err != nil {
		return nil, err
	}
	if err := migrationfolder.CheckSum(dir, files); err != nil {
		fmt.Fprintln(c.ErrOrStderr(), err)
	}
	from, err := catalog.Replay(files)
	if err != nil {
		return nil, migrationfolder.AddFolder(dir, err)
	}
	migrationfolder.Share(from, m, s, others)
	plan, err := diff.Diff(from, s)
	if err != nil {
		return nil, err
	}
	if err := migrationfolder.CheckSeparate(dir, name, plan.After, others); err != nil {
		return nil, err
	}
	if !fresh {
		name = ""
	}
	for _, h := range plan.Hints {
		fmt.Fprintln(c.ErrOrStderr(), h)
	}
	return &difference{dir: dir, name: name, files: files, model: m, store: place, from: from, plan: plan, unnamed: unnamed}, nil
}

// added returns the migrations that a base does not have. The migrations of the base must be the first ones.
func (d *difference) added(dir string, base []folder.File) ([]folder.File, error) {
	for i, f := range base {
		if i >= len(d.files) || d.files[i].Name != f.Name || d.files[i].Checksum != f.Checksum {
			return nil, fmt.Errorf("-base %s: %s is missing or different in %s: merge the base branch, and number the new migrations after it", dir, f.Name, d.dir)
		}
	}
	return d.files[len(base):], nil
}

// next returns the migration that is missing. Its name is next if none is given.
func (d *difference) next(name string) (folder.File, error) {
	if name == "" {
		name = "next"
	}
	file, err := folder.FileName(folder.Newest(d.files)+1, name)
	if err != nil {
		return folder.File{}, err
	}
	return folder.Draft(file, d.plan.Text())
}
