package exercise

import (
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"
)

// deepest is the depth at which pointers and collections remain nil.
const deepest = 6

// fill sets a value to a random one that any column can have. Types without exported fields keep their zero value.
func (x *exercise) fill(v reflect.Value, depth int) {
	if x.constant(v) || x.known(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(x.rand.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1 + x.rand.Int64N(100))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(1 + x.rand.IntN(100)))
	case reflect.String:
		v.SetString(string(rune('a'+x.rand.IntN(26))) + string(rune('a'+x.rand.IntN(26))))
	case reflect.Pointer:
		if depth < deepest && x.rand.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			x.fill(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			if f.CanSet() {
				x.fill(f, depth+1)
			}
		}
	case reflect.Array:
		x.elements(v, depth)
	case reflect.Slice:
		if depth < deepest {
			v.Set(reflect.MakeSlice(v.Type(), x.rand.IntN(3), 3))
			x.elements(v, depth)
		}
	case reflect.Map:
		x.entries(v, depth)
	}
}

func (x *exercise) elements(v reflect.Value, depth int) {
	for i := range v.Len() {
		x.fill(v.Index(i), depth+1)
	}
}

func (x *exercise) entries(v reflect.Value, depth int) {
	if depth >= deepest || x.rand.IntN(3) == 0 {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	x.fill(key, depth+1)
	x.fill(value, depth+1)
	v.SetMapIndex(key, value)
}

// constant sets a value of a type with declared constants to one of them.
func (x *exercise) constant(v reflect.Value) bool {
	all := x.model.Constants[v.Type().Name()]
	if len(all) == 0 || v.Type().PkgPath() == "" {
		return false
	}
	v.Set(reflect.ValueOf(all[x.rand.IntN(len(all))]).Convert(v.Type()))
	return true
}

var uuidType = reflect.TypeFor[[16]byte]()

// known sets a value of a library type.
func (x *exercise) known(v reflect.Value) bool {
	var known any
	n := x.rand.IntN(1000)
	switch v.Interface().(type) {
	case time.Time:
		known = time.Date(2020, 1, 1+n%28, 10, 0, 0, 0, time.UTC)
	case time.Duration:
		known = time.Duration(n) * time.Minute / 2
	case net.IP:
		known = net.IPv4(127, 0, 0, byte(n)).To4()
	case netip.Addr:
		known = netip.AddrFrom4([4]byte{127, 0, 0, byte(n)})
	case netip.AddrPort:
		known = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, byte(n)}), 80)
	case *big.Int:
		known = big.NewInt(int64(n))
	case *inf.Dec:
		known = inf.NewDec(int64(n), 2)
	default:
		if v.Kind() != reflect.Array || !v.Type().ConvertibleTo(uuidType) {
			return false
		}
		known = reflect.ValueOf([16]byte(gocql.UUIDFromTime(time.Now()))).Convert(v.Type()).Interface()
	}
	v.Set(reflect.ValueOf(known))
	return true
}
