package diffcmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/ownfile"
	"github.com/cassaml/cassaml/codegen/diagram/change"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/lint"
)

// reportOptions are the options of aml diff for pictures and Markdown.
type reportOptions struct {
	picture, markdown string // files, or - for the standard output
	base              string
	dark, force       bool
}

// addReportOptions adds the options for pictures and Markdown.
func addReportOptions(c *cobra.Command) *reportOptions {
	r := &reportOptions{}
	c.Flags().StringVar(&r.picture, "picture", "", "draw the difference: a file that ends in .svg or .png, or - for SVG on the standard output")
	c.Flags().StringVar(&r.markdown, "markdown", "", "describe the difference for a pull request: a file that ends in .md, or - for the standard output")
	c.Flags().StringVar(&r.base, "base", "", "with -picture or -markdown: the folder of migrations before a pull request; its own migrations are described, too")
	c.Flags().BoolVar(&r.dark, "dark", false, "with -picture: draw light lines on a dark background")
	c.Flags().BoolVar(&r.force, "force", false, "overwrite a picture or Markdown file that aml has not written")
	return r
}

// wanted reports whether there is something to report.
func (r *reportOptions) wanted() bool { return r.picture != "" || r.markdown != "" }

func (r *reportOptions) check() error {
	switch ext := strings.ToLower(filepath.Ext(r.picture)); {
	case r.base != "" && !r.wanted():
		return errors.New("-base requires -picture or -markdown")
	case r.dark && r.picture == "":
		return errors.New("-dark requires -picture")
	case r.picture == "-" && r.markdown == "-":
		return errors.New("-picture - and -markdown - exclude each other: write one of them to a file")
	case r.picture != "" && r.picture != "-" && ext != ".svg" && ext != ".png":
		return fmt.Errorf("-picture %s: the format is not known: use a name that ends in .svg or .png", r.picture)
	case r.markdown != "" && r.markdown != "-" && strings.ToLower(filepath.Ext(r.markdown)) != ".md":
		return fmt.Errorf("-markdown %s: use a name that ends in .md", r.markdown)
	}
	return nil
}

// files returns the files of the report. The path - is the standard output.
func (r *reportOptions) files(of *change.Change) (out []codegen.File, err error) {
	if r.picture != "" {
		picture := of.Picture()
		data := picture.SVG(r.dark)
		if strings.ToLower(filepath.Ext(r.picture)) == ".png" {
			if data, err = picture.PNG(r.dark); err != nil {
				return nil, err
			}
		}
		out = append(out, codegen.File{Path: r.picture, Data: data})
	}
	if r.markdown != "" {
		out = append(out, codegen.File{Path: r.markdown, Data: []byte(of.Markdown())})
	}
	return out, nil
}

// prepare returns a function that writes the report about a difference. It writes nothing itself, and returns the errors that can be
// found before anything is written. name is the name of the migration if one is written, too.
func (r *reportOptions) prepare(c *cobra.Command, d *difference, name string) (write func() error, err error) {
	if !r.wanted() {
		return func() error { return nil }, nil
	}
	of, err := r.change(d, name)
	if err != nil {
		return nil, err
	}
	all, err := r.files(of)
	if err != nil {
		return nil, err
	}
	out := c.OutOrStdout()
	var printed []byte
	var files []codegen.File
	for _, f := range all {
		if f.Path == "-" {
			printed = f.Data
			c.SetOut(c.ErrOrStderr()) // nothing else is on the standard output
			continue
		}
		files = append(files, f)
		if err := ownfile.CheckReplaceable(f.Path, r.force); err != nil {
			return nil, err
		}
	}
	return func() error {
		if err := ownfile.WriteOwn(c, files, r.force); err != nil {
			return err
		}
		_, err := out.Write(printed)
		return err
	}, nil
}

// change describes the difference: the migrations that the base does not have, and the statements that are missing in them.
func (r *reportOptions) change(d *difference, name string) (*change.Change, error) {
	before, files := d.from, []folder.File(nil)
	if r.base != "" {
		base, err := readBase(r.base)
		if err != nil {
			return nil, err
		}
		if files, err = d.added(r.base, base); err != nil {
			return nil, err
		}
		if before, err = catalog.Replay(base); err != nil {
			return nil, migrationfolder.AddFolder(r.base, err)
		}
	}
	of := &change.Change{Of: d.model.Package.Name, From: "an empty keyspace", To: "the model"}
	if last := len(d.files) - len(files) - 1; last >= 0 {
		of.From = d.files[last].Name
	}
	of.Objects, of.Same = compareKeyspaces(before, d.plan.After)
	all := d.files
	if len(d.plan.Steps) > 0 {
		next, err := d.next(name)
		if err != nil {
			return nil, err
		}
		files, all = append(files, next), append(all[:len(all):len(all)], next)
	}
	for _, f := range files {
		of.Statements = append(of.Statements, change.Section{Name: f.Name, Text: f.Text})
	}
	found, err := lint.All(all)
	if err != nil {
		return nil, err
	}
	of.Findings = selectFindings(found, files)
	of.Notes, err = d.notes(before, files, len(files) == len(all))
	return of, err
}

// readBase reads the migrations before a pull request. A folder that does not exist has none.
func readBase(dir string) ([]folder.File, error) {
	files, err := migrationfolder.Read(dir)
	if err != nil {
		return nil, fmt.Errorf("-base %s: %w", dir, err)
	}
	return files, nil
}

// selectFindings returns the findings in some files.
func selectFindings(found []lint.Finding, files []folder.File) (out []change.Finding) {
	for _, f := range found {
		for _, of := range files {
			if f.File == of.Name {
				out = append(out, change.Finding{Where: fmt.Sprintf("%s:%d", f.File, f.Line), Code: f.Code, Message: f.Message, Fix: f.Fix, Allowed: f.Allowed})
			}
		}
	}
	return out
}
