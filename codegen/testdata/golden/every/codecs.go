package every

// The codecs of the structs, for the tests of package codegen.
var (
	ColumnsCodec  = columnsCodec
	PointersCodec = pointersCodec
	KeysCodec     = keysCodec
	ListsCodec    = listsCodec
	SetsCodec     = setsCodec
	MapsCodec     = mapsCodec
	RequiredCodec = requiredCodec
)
