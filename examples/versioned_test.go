package examples

import (
	"testing"

	approach2versioned "github.com/cassaml/cassaml/examples/vehicles/approach2versioned/fleet"
	approach3versioned "github.com/cassaml/cassaml/examples/vehicles/approach3versioned/fleet"
)

// A plate has one owner, and a change of an old version is refused.
func TestApproach2Versioned(t *testing.T) {
	p := run(t, approach2versioned.Schema, approach2versioned.Demo)
	p.sent(t, `
		1: compare and set clientes__veiculos_placa_unique
		1: compare and set clientes__veiculos_placa_unique
		1: compare and set clientes
		1: [[write veiculos, write veiculos, write clientes__sync]]
		2: compare and set clientes__veiculos_placa_unique
		2: compare and set clientes__veiculos_placa_unique
		2: compare and set clientes
		2: [[write veiculos, write veiculos, write clientes__sync]]
		3: read clientes
		4: read veiculos
		5: read clientes
		5: compare and set clientes__veiculos_placa_unique
		5: read clientes__veiculos_placa_unique
		5: read clientes__veiculos_placa_unique
		5: compare and set clientes
		5: [[delete veiculos, write veiculos, write veiculos, write clientes__sync]]
		5: compare and set clientes__veiculos_placa_unique
		6: read clientes
		6: read clientes__sync
		6: compare and set clientes__veiculos_placa_unique
		6: read clientes
		7: read clientes
		8: read clientes__veiculos_placa_unique
		8: read clientes__veiculos_placa_unique
		8: compare and set clientes
		8: [[write veiculos, write veiculos]]
		9: read clientes__veiculos_placa_unique
		9: read clientes__veiculos_placa_unique
		9: compare and set clientes
		10: read clientes
		10: read clientes__veiculos_placa_unique
		10: read clientes__veiculos_placa_unique
		10: compare and set clientes
		10: [[delete veiculos, delete veiculos, write clientes__sync]]
		10: compare and set clientes__veiculos_placa_unique
		10: compare and set clientes__veiculos_placa_unique
		11: read clientes
		11: read clientes__sync
		11: compare and set clientes__veiculos_placa_unique
		11: compare and set clientes__veiculos_placa_unique
		11: read clientes__veiculos_placa_unique
		11: read clientes__veiculos_placa_unique
		11: compare and set clientes
		11: [[delete veiculos, write veiculos, write veiculos, write clientes__sync]]
		11: compare and set clientes__veiculos_placa_unique`)
	p.says(t, `
		mapper: Update Cliente (clientes id=2): Veiculos.Placa placa='ABC1234' is taken by Cliente (clientes id=1)
		mapper: Change Cliente (clientes id=1): the version has changed`)
	p.holds(t, "veiculos", `
		{"placa": "ABC1234", "cor": "Vermelho"}
		{"placa": "JKL3D56", "cor": "Branco"}`)
}

// A vehicle can have a new owner only after its current owner no longer has it.
func TestApproach3Versioned(t *testing.T) {
	p := run(t, approach3versioned.Schema, approach3versioned.Demo)
	p.sent(t, `
		1: compare and set clientes__veiculos_placa_unique
		1: compare and set clientes__veiculos_placa_unique
		1: compare and set clientes
		1: [[write veiculos, write veiculos, write clientes__sync]]
		2: compare and set clientes__veiculos_placa_unique
		2: compare and set clientes__veiculos_placa_unique
		2: compare and set clientes
		2: [[write veiculos, write veiculos, write clientes__sync]]
		3: read clientes
		4: read veiculos
		5: read clientes
		5: read clientes__veiculos_placa_unique
		5: read clientes__veiculos_placa_unique
		5: compare and set clientes
		5: [[write veiculos, write veiculos, write clientes__sync]]
		6: read clientes
		6: compare and set clientes__veiculos_placa_unique
		6: read clientes
		7: read clientes
		7: read clientes__veiculos_placa_unique
		7: read clientes__veiculos_placa_unique
		7: compare and set clientes
		7: [[delete veiculos, write veiculos, write clientes__sync]]
		7: compare and set clientes__veiculos_placa_unique
		8: read veiculos
		9: read clientes
		9: compare and set clientes__veiculos_placa_unique
		9: compare and set clientes__veiculos_placa_unique
		9: read clientes__veiculos_placa_unique
		9: read clientes__veiculos_placa_unique
		9: compare and set clientes
		9: [[write veiculos, write veiculos, write veiculos, write clientes__sync]]
		10: read veiculos
		10: read clientes`)
	p.says(t, `
		vehicle GHI9012, Vermelho, of client 2, Maria Souza
		mapper: Update Cliente (clientes id=2): Veiculos.Placa placa='DEF5678' is taken by Cliente (clientes id=1)
		mapper: Get VeiculoPorPlaca (veiculos placa='DEF5678'): not found
		vehicle DEF5678, Preto, of client 2, Maria Souza`)
	p.holds(t, "veiculos", `
		{"placa": "ABC1234", "cliente": {"id": 1, "nome": "João da Silva"}, "cor": "Azul"}
		{"placa": "DEF5678", "cliente": {"id": 2, "nome": "Maria Souza"}, "cor": "Preto"}
		{"placa": "GHI9012", "cliente": {"id": 2, "nome": "Maria Souza"}, "cor": "Vermelho"}
		{"placa": "JKL3456", "cliente": {"id": 2, "nome": "Maria Souza"}, "cor": "Branco"}`)
}
