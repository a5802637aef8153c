package alternatives_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/internal/models"
)

const withVehicles = `
type Customer struct {
	aml.Aggregate $aml:"customers"$

	ID       int32     $aml:"id,identifier"$
	Vehicles []Vehicle $aml:"vehicles,composition"$
}

type Vehicle struct {
	aml.Entity $aml:"vehicle"$

	Plate string $aml:"plate,identifier"$
}
`

// The names of two structs without a relationship name none, also where one of them has another relationship, or refers to the other in its key or in an embedded struct.
func TestNamesOfNoRelationship(t *testing.T) {
	t.Parallel()
	const garage = "\ntype Garage struct {\n\taml.Aggregate $aml:\"garages\"$\n\n\tID int32 $aml:\"id,identifier\"$\n}\n"
	found := designs(t, withVehicles+garage, "Customer.Vehicles")
	shared := found["inverse-shared"].Model
	_, omitted := alternatives.Resolve(shared, "Customer.Vehicles")
	require.Equal(t, "each Vehicle contains its Customer, and the design inverse-shared is not compared", omitted)
	for _, x := range []struct {
		model *model.Model
		name  string
	}{
		{shared, "Customer.Garages"},
		{found["embedded-list-partial"].Model, "VehicleByPlate.Customers"},
		{build(t, inMemory(t, withVehicles+"\ntype Order struct {\n\taml.Aggregate $aml:\"orders\"$\n\n\tCustomerID int32 $aml:\"customer_id,identifier,association=Customer\"$\n\tNumber int32 $aml:\"number,discriminator\"$\n}\n")), "Customer.Orders"},
		{build(t, inMemory(t, withVehicles+"\ntype Guest struct {\n\taml.Aggregate $aml:\"guests\"$\n\n\tID int32 $aml:\"id,identifier\"$\n\tStay\n}\n\ntype Stay struct {\n\tCustomerIDs []int32 $aml:\"customer_ids,unique,association=Customer\"$\n}\n")), "Customer.Guests"},
	} {
		relationship, omitted := alternatives.Resolve(x.model, x.name)
		require.Empty(t, relationship+omitted, x.name)
	}
}

// A struct of another package is on neither side of a relationship: the designs could not change it.
func TestRelationshipsWithOtherPackages(t *testing.T) {
	t.Parallel()
	imports, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	const geo = "package geo\n\nimport \"github.com/cassaml/cassaml/aml\"\n\ntype Place struct {\n\taml.Aggregate `aml:\"places\"`\n\n\tID int32 `aml:\"id,identifier\"`\n}\n\ntype Spot struct {\n\tName string `aml:\"name,required\"`\n}\n"
	require.NoError(t, imports.Add("example.com/geo", "geo.go", []byte(geo)))
	files := inMemory(t, "type Shop struct {\n\taml.Aggregate $aml:\"shops\"$\n\n\tID int32 $aml:\"id,identifier\"$\n\tPlaceID int32 $aml:\"place_id,association=geo.Place\"$\n\tNearIDs []int32 $aml:\"near_ids,unique,association=geo.Place\"$\n\tSpots []geo.Spot $aml:\"spots,composition\"$\n}\n")
	files.Texts["model.go"] = []byte(strings.Replace(string(files.Texts["model.go"]), `"time"`, `"example.com/geo"`, 1))
	files.Fset, files.Imports = imports.Fset, imports
	for field, name := range map[string]string{"PlaceID": "Place", "NearIDs": "Place", "Spots": "Spot"} {
		_, err := alternatives.List(files, "Shop."+field, alternatives.Config{})
		require.EqualError(t, err, "Shop."+field+": "+name+" is in another package: the designs change both sides, so both must be in one package")
	}
	relationship, omitted := alternatives.Resolve(build(t, files), "Place.Shops")
	require.Empty(t, relationship+omitted)
}

// build returns the model of files.
func build(t *testing.T, files *load.Files) *model.Model {
	t.Helper()
	p, err := files.Package(files.Texts)
	require.NoError(t, err)
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), "%v", faults)
	return m
}
