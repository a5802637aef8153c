package driver

// Type is the CQL type of a column of a result.
type Type struct {
	ID       TypeID
	Elements []Type // the types of the elements of a tuple
	Info     any    // the driver's description
}

// TypeID is the number of a type in the native protocol.
type TypeID uint16

// The types.
const (
	TypeCustom    TypeID = 0x0000
	TypeASCII     TypeID = 0x0001
	TypeBigInt    TypeID = 0x0002
	TypeBlob      TypeID = 0x0003
	TypeBoolean   TypeID = 0x0004
	TypeCounter   TypeID = 0x0005
	TypeDecimal   TypeID = 0x0006
	TypeDouble    TypeID = 0x0007
	TypeFloat     TypeID = 0x0008
	TypeInt       TypeID = 0x0009
	TypeText      TypeID = 0x000A
	TypeTimestamp TypeID = 0x000B
	TypeUUID      TypeID = 0x000C
	TypeVarchar   TypeID = 0x000D
	TypeVarint    TypeID = 0x000E
	TypeTimeUUID  TypeID = 0x000F
	TypeInet      TypeID = 0x0010
	TypeDate      TypeID = 0x0011
	TypeTime      TypeID = 0x0012
	TypeSmallInt  TypeID = 0x0013
	TypeTinyInt   TypeID = 0x0014
	TypeDuration  TypeID = 0x0015
	TypeList      TypeID = 0x0020
	TypeMap       TypeID = 0x0021
	TypeSet       TypeID = 0x0022
	TypeUDT       TypeID = 0x0030
	TypeTuple     TypeID = 0x0031
)
