package peer

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/order"
)

// Marshalled is an order for gocql only, whose UDTs have methods.
type Marshalled struct {
	Columns
	Address MarshalledAddress
	Items   []MarshalledItem
}

// MarshalledAddress encodes and decodes itself field by field.
type MarshalledAddress struct {
	Street    string
	City      string
	Zip       int32
	Latitude  float64
	Longitude float64
}

// MarshalUDT encodes a field.
func (a MarshalledAddress) MarshalUDT(name string, info gocql.TypeInfo) ([]byte, error) {
	switch name {
	case "street":
		return gocql.Marshal(info, a.Street)
	case "city":
		return gocql.Marshal(info, a.City)
	case "zip":
		return gocql.Marshal(info, a.Zip)
	case "latitude":
		return gocql.Marshal(info, a.Latitude)
	case "longitude":
		return gocql.Marshal(info, a.Longitude)
	}
	return nil, nil // a field that was added later
}

// UnmarshalUDT decodes a field.
func (a *MarshalledAddress) UnmarshalUDT(name string, info gocql.TypeInfo, data []byte) error {
	switch name {
	case "street":
		return gocql.Unmarshal(info, data, &a.Street)
	case "city":
		return gocql.Unmarshal(info, data, &a.City)
	case "zip":
		return gocql.Unmarshal(info, data, &a.Zip)
	case "latitude":
		return gocql.Unmarshal(info, data, &a.Latitude)
	case "longitude":
		return gocql.Unmarshal(info, data, &a.Longitude)
	}
	return nil
}

// MarshalledItem encodes and decodes itself field by field.
type MarshalledItem struct {
	SKU      string
	Quantity int32
	Price    int64
	Note     string
}

// MarshalUDT encodes a field.
func (i MarshalledItem) MarshalUDT(name string, info gocql.TypeInfo) ([]byte, error) {
	switch name {
	case "sku":
		return gocql.Marshal(info, i.SKU)
	case "quantity":
		return gocql.Marshal(info, i.Quantity)
	case "price":
		return gocql.Marshal(info, i.Price)
	case "note":
		return gocql.Marshal(info, i.Note)
	}
	return nil, nil // a field that was added later
}

// UnmarshalUDT decodes a field.
func (i *MarshalledItem) UnmarshalUDT(name string, info gocql.TypeInfo, data []byte) error {
	switch name {
	case "sku":
		return gocql.Unmarshal(info, data, &i.SKU)
	case "quantity":
		return gocql.Unmarshal(info, data, &i.Quantity)
	case "price":
		return gocql.Unmarshal(info, data, &i.Price)
	case "note":
		return gocql.Unmarshal(info, data, &i.Note)
	}
	return nil
}

// NewMarshalled copies an order.
func NewMarshalled(o *order.Order) *Marshalled {
	v := &Marshalled{Columns: newColumns(o)}
	v.Address = MarshalledAddress{o.Address.Street, o.Address.City, o.Address.Zip, o.Address.Latitude, o.Address.Longitude}
	for _, i := range o.Items {
		v.Items = append(v.Items, MarshalledItem{i.SKU, i.Quantity, i.Price, i.Note})
	}
	return v
}

// Arguments returns the arguments of the INSERT into one of [order.Tables].
func (v *Marshalled) Arguments(table int) []any { return v.arguments(table, v.Address, v.Items) }

// Scan reads the next row of the root's table.
func (v *Marshalled) Scan(it *gocql.Iter) bool { return v.scan(it, &v.Address, &v.Items) }

// Order returns a copy as an Order.
func (v *Marshalled) Order() order.Order {
	var items []order.LineItem
	for _, i := range v.Items {
		items = append(items, order.LineItem{SKU: i.SKU, Quantity: i.Quantity, Price: i.Price, Note: i.Note})
	}
	a := v.Address
	return v.order(order.Address{Street: a.Street, City: a.City, Zip: a.Zip, Latitude: a.Latitude, Longitude: a.Longitude}, items)
}
