package codec

import (
	"fmt"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/gen"
)

// protocol is the protocol version of gocql with current releases of Cassandra.
const protocol = 4

func native(t gocql.Type) gocql.TypeInfo { return gocql.NewNativeType(protocol, t, "") }

func udt(name string, fields ...gocql.UDTField) gocql.TypeInfo {
	return gocql.UDTTypeInfo{NativeType: gocql.NewNativeType(protocol, gocql.TypeUDT, ""), KeySpace: "bench", Name: name, Elements: fields}
}

func field(name string, t gocql.Type) gocql.UDTField {
	return gocql.UDTField{Name: name, Type: native(t)}
}

// columnTypes returns the types of columns, which the driver receives from the server. They are listed here, because the types
// of gocql differ from the types of the mapper.
func columnTypes(table *gen.Table) ([]gocql.ColumnInfo, error) {
	address := udt("address", field("street", gocql.TypeVarchar), field("city", gocql.TypeVarchar), field("zip", gocql.TypeInt),
		field("latitude", gocql.TypeDouble), field("longitude", gocql.TypeDouble))
	item := udt("line_item", field("sku", gocql.TypeVarchar), field("quantity", gocql.TypeInt), field("price", gocql.TypeBigInt),
		field("note", gocql.TypeVarchar))
	parcel := udt("parcel", field("code", gocql.TypeVarchar), field("receiver", gocql.TypeVarchar), field("street", gocql.TypeVarchar),
		field("city", gocql.TypeVarchar), field("zip", gocql.TypeInt), field("weight", gocql.TypeInt))
	types := map[string]gocql.TypeInfo{
		"customer": native(gocql.TypeUUID), "placed": native(gocql.TypeTimestamp), "number": native(gocql.TypeInt),
		"name": native(gocql.TypeVarchar), "email": native(gocql.TypeVarchar), "store": native(gocql.TypeInt),
		"total": native(gocql.TypeBigInt), "discount": native(gocql.TypeDouble), "paid": native(gocql.TypeBoolean),
		"signature": native(gocql.TypeBlob), "address": address,
		"items": gocql.CollectionType{NativeType: gocql.NewNativeType(protocol, gocql.TypeList, ""), Elem: item},
		"id":    native(gocql.TypeUUID), "shipment": native(gocql.TypeUUID), "sent": native(gocql.TypeTimestamp), "zip": native(gocql.TypeInt), "weight": native(gocql.TypeInt),
		"parcels": gocql.CollectionType{NativeType: gocql.NewNativeType(protocol, gocql.TypeList, ""), Elem: parcel},
	}
	for _, name := range []string{"carrier", "note", "code", "receiver", "street", "city"} {
		types[name] = native(gocql.TypeVarchar)
	}
	columns := make([]gocql.ColumnInfo, len(table.Columns))
	for i, c := range table.Columns {
		t, known := types[c.Name]
		if !known {
			return nil, fmt.Errorf("codec: no type of gocql is listed for column %[2]s of %[1]s", table.Name, c.Name)
		}
		columns[i] = gocql.ColumnInfo{Keyspace: "bench", Table: table.Name, Name: c.Name, TypeInfo: t}
	}
	return columns, nil
}
