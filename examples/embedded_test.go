package examples

import (
	"testing"

	approach1 "github.com/cassaml/cassaml/examples/vehicles/approach1/fleet"
	approach1map "github.com/cassaml/cassaml/examples/vehicles/approach1map/fleet"
	approach2 "github.com/cassaml/cassaml/examples/vehicles/approach2/fleet"
	approach3 "github.com/cassaml/cassaml/examples/vehicles/approach3/fleet"

	"github.com/cassaml/cassaml/integration/cassandra"
)

// Every change is one query or one write of one row.
func TestApproach1(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	p := run(t, approach1.Schema, approach1.Demo)
	p.sent(t, `
		1: write clientes
		2: write clientes
		3: read clientes
		4: read clientes
		4: write clientes
		5: read clientes
		5: write clientes
		6: delete clientes`)
	p.says(t, `
		client 1, João Silva
		has ABC1234, Azul
		has DEF5678, Preto`)
	p.holds(t, "clientes", `
		{"id": 1, "emails": ["joao@exemplo.br"], "nome": "João da Silva", "telefones": ["+55 81 99999-0001"], "veiculos": [{"placa": "ABC1234", "cor": "Verde"}, {"placa": "DEF5678", "cor": "Preto"}]}`)
}

// The same with a map.
func TestApproach1Map(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	p := run(t, approach1map.Schema, approach1map.Demo)
	p.sent(t, `
		1: write clientes
		2: write clientes
		3: read clientes
		4: read clientes
		4: write clientes
		5: read clientes
		5: write clientes
		6: delete clientes`)
	p.says(t, `
		client 1, João Silva, has 2 vehicles; DEF5678 is Preto`)
	p.holds(t, "clientes", `
		{"id": 1, "emails": ["joao@exemplo.br"], "nome": "João Silva", "telefones": ["+55 81 99999-0001"], "veiculos": {"ABC1234": {"placa": "ABC1234", "cor": "Verde"}, "DEF5678": {"placa": "DEF5678", "cor": "Preto"}, "MNO7890": {"placa": "MNO7890", "cor": "Prata"}}}`)
}

// Both tables are written in one logged batch. A column of only one table is one statement.
func TestApproach2(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	p := run(t, approach2.Schema, approach2.Demo)
	p.sent(t, `
		1: [[write clientes, write veiculos, write veiculos]]
		2: [[write clientes, write veiculos, write veiculos]]
		3: read clientes
		4: read veiculos
		5: read clientes
		5: write clientes
		6: read clientes
		6: [[write clientes, write veiculos, write veiculos, delete veiculos]]
		7: read clientes
		7: [[delete clientes, delete veiculos, delete veiculos]]`)
	p.says(t, `
		has ABC1234, Azul
		vehicle GHI9012 is Vermelho`)
	p.holds(t, "clientes", `
		{"id": 2, "emails": ["maria@exemplo.br"], "nome": "Maria Souza", "telefones": ["+55 81 99999-0002"], "veiculos": [{"placa": "GHI9012", "cor": "Vermelho"}, {"placa": "JKL3D56", "cor": "Branco"}]}`)
	p.holds(t, "veiculos", `
		{"placa": "GHI9012", "cor": "Vermelho"}
		{"placa": "JKL3D56", "cor": "Branco"}`)
}

// A change of the client reaches the row of each of its vehicles in its batch, and a vehicle is sold in two batches.
func TestApproach3(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	p := run(t, approach3.Schema, approach3.Demo)
	p.sent(t, `
		1: [[write clientes, write veiculos, write veiculos]]
		2: [[write clientes, write veiculos, write veiculos]]
		3: read clientes
		4: read veiculos
		5: read clientes
		5: [[write clientes, write veiculos, write veiculos]]
		6: read clientes
		6: read veiculos
		6: [[write clientes, write veiculos, delete veiculos]]
		7: read veiculos
		8: read clientes
		8: [[write clientes, write veiculos, write veiculos, write veiculos]]
		9: read veiculos`)
	p.says(t, `
		vehicle GHI9012, Vermelho, of client 2, Maria Souza
		mapper: Get VeiculoPorPlaca (veiculos placa='DEF5678'): not found
		vehicle DEF5678, Preto, of client 2, Maria Souza`)
	p.holds(t, "clientes", `
		{"id": 1, "emails": ["joao@exemplo.br"], "nome": "João da Silva", "telefones": ["+55 81 99999-0001"], "veiculos": [{"placa": "ABC1234", "cor": "Azul"}]}
		{"id": 2, "emails": ["maria@exemplo.br"], "nome": "Maria Souza", "telefones": ["+55 81 99999-0002"], "veiculos": [{"placa": "GHI9012", "cor": "Vermelho"}, {"placa": "JKL3456", "cor": "Branco"}, {"placa": "DEF5678", "cor": "Preto"}]}`)
	p.holds(t, "veiculos", `
		{"placa": "ABC1234", "cliente": {"id": 1, "nome": "João da Silva"}, "cor": "Azul"}
		{"placa": "DEF5678", "cliente": {"id": 2, "nome": "Maria Souza"}, "cor": "Preto"}
		{"placa": "GHI9012", "cliente": {"id": 2, "nome": "Maria Souza"}, "cor": "Vermelho"}
		{"placa": "JKL3456", "cliente": {"id": 2, "nome": "Maria Souza"}, "cor": "Branco"}`)
}
