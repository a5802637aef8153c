package catalog

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/migrate/internal/ddl"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Share adds a type of another folder to the keyspace, or replaces its fields.
func (k *Keyspace) Share(u *schema.UDT, from string) error {
	for i, f := range u.Fields {
		if err := k.checkKnown(f.Type); err != nil {
			return err
		}
		if fieldAt(u, f.Name) != i {
			return fmt.Errorf("type %s has two fields %s", u.Name, f.Name)
		}
	}
	old := k.Type(u.Name)
	switch _, shared := k.Shared[u.Name]; {
	case old == nil:
		k.Types = append(k.Types, u)
	case !shared:
		return fmt.Errorf("type %s is created by this folder, and cannot be shared from another one", u.Name)
	default:
		old.Fields, old.Object = u.Fields, u.Object
		k.moveAfterUsed(old)
	}
	k.Expect(u.Name, from)
	return nil
}

// Expect records that a type belongs to another folder, before the keyspace has the type.
func (k *Keyspace) Expect(name, from string) {
	if k.Shared == nil {
		k.Shared = map[string]Shared{}
	}
	k.Shared[name] = Shared{From: from}
}

// share records the types of other folders that a file declares.
func (k *Keyspace) share(f folder.File) error {
	for _, s := range f.Shared {
		if s.From == "" {
			if _, shared := k.Shared[s.Type]; !shared {
				return syntaxError(f, s.Offset, fmt.Sprintf("type %s is not shared; remove the line", s.Type))
			}
			k.Shared[s.Type] = Shared{From: k.Shared[s.Type].From, Ended: true}
			continue
		}
		parsed, err := ddl.Parse(s.Created)
		create, ok := parsed.(*ddl.CreateType)
		if err == nil && !ok {
			err = errors.New("it is not a type")
		}
		if err == nil {
			err = k.Share(create.Type, s.From)
		}
		if err != nil {
			return syntaxError(f, s.Offset, fmt.Sprintf("aml:shared: %v", err))
		}
	}
	return nil
}

// refuseShared refuses a statement that creates, alters or drops a type of another folder.
func (k *Keyspace) refuseShared(s ddl.Statement) error {
	switch s.(type) {
	case *ddl.CreateType, *ddl.AddField, *ddl.RenameFields, *ddl.DropType:
		name := s.On().Name
		if shared, ok := k.Shared[name]; ok {
			return fmt.Errorf("type %s belongs to the folder of %s, and only that folder creates, alters and drops it", name, shared.From)
		}
	}
	return nil
}

// SharedTypes returns the types of other folders that the folder uses or has used, each after the types that it uses.
func (k *Keyspace) SharedTypes() []*schema.UDT {
	return slices.DeleteFunc(slices.Clone(k.Types), func(u *schema.UDT) bool {
		_, shared := k.Shared[u.Name]
		return !shared
	})
}
