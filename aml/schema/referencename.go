package schema

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// FollowMethod returns the name of the method that follows the reference of one row: FollowAuthor, or FollowFamily for many.
func (r *Reference) FollowMethod() string { return "Follow" + r.Name() }

// FollowAllMethod returns the name of the method that follows the references of many rows, FollowAuthors; "" if one row can have
// several targets.
func (r *Reference) FollowAllMethod() string {
	if r.Several() {
		return ""
	}
	return "Follow" + plural(r.Name())
}

// Several reports whether one row can have several targets.
func (r *Reference) Several() bool { return r.Many || r.Collection() >= 0 }

// Name returns the name of the reference: the Go names of the fields on the path to it, without the word ID in the last one. A reference
// by several fields has the part of their names before the names of the key: Home for HomeCountry and HomeNumber. If nothing is left, it has
// the name of the target.
func (r *Reference) Name() string {
	name := ""
	for _, at := range r.Path {
		name += at.GoName()
	}
	if len(r.Fields) > 1 {
		name += r.prefix()
	} else {
		name += withoutID(r.Fields[0].GoName())
	}
	if name == "" {
		return r.Target.Struct.Name
	}
	return name
}

// prefix returns the text that the names of several fields have before the names of the target's key; "" if it differs.
func (r *Reference) prefix() string {
	var out []string
	for i, k := range r.Target.Key() {
		if r.Fields[i] == nil {
			continue
		}
		text, ok := strings.CutSuffix(r.Fields[i].GoName(), k.GoName())
		if !ok || len(out) > 0 && out[0] != text {
			return ""
		}
		out = append(out, text)
	}
	return out[0]
}

// withoutID removes the word ID from the beginning or the end of a name. A name in the plural keeps it: FriendIDs => Friends.
func withoutID(name string) string {
	for _, w := range []string{"ID", "Id"} {
		if rest, ok := strings.CutSuffix(name, w); ok {
			return rest
		}
		if rest, ok := strings.CutSuffix(name, w+"s"); ok && rest != "" {
			return strings.TrimSuffix(rest, "s") + "s"
		}
	}
	if rest, ok := strings.CutPrefix(name, "ID"); ok && rest != "" && model.SnakeCase(name) == "id_"+model.SnakeCase(rest) {
		return rest
	}
	return name
}

// plural returns the plural of a name: Author => Authors, Address => Addresses, Country => Countries.
func plural(name string) string {
	for _, end := range []string{"s", "x", "z", "ch", "sh"} {
		if strings.HasSuffix(name, end) {
			return name + "es"
		}
	}
	if rest, ok := strings.CutSuffix(name, "y"); ok && rest != "" && !strings.ContainsAny(rest[len(rest)-1:], "aeiouAEIOU") {
		return rest + "ies"
	}
	return name + "s"
}

// Field returns the Go path of the reference in a row: Author, Family[] or Lines[].Item, where [] is the place of an element. A
// reference by several fields has the path of the first.
func (r *Reference) Field() string {
	at := r.Collection()
	text := ""
	for i, step := range r.Path {
		text += step.GoName()
		if i == at {
			text += "[]"
		}
		text += "."
	}
	if text += r.Fields[0].GoName(); r.Many && r.Fields[0].Type.Go.Kind != model.Map {
		text += "[]"
	}
	return text
}

// Text returns the fields of the reference in a value v for comments: v.Author, or v.Country and v.Number.
func (r *Reference) Text() string {
	path := "v."
	for _, step := range r.Path {
		path += step.GoName() + "."
	}
	var out []string
	for _, at := range r.Fields {
		out = append(out, path+at.GoName())
	}
	return strings.Join(out, " and ")
}
