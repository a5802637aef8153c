// Package seal limits the implementations of driver.Session to the packages below mapper/driver, so that the interface can grow.
package seal

// Sealed is implemented by the sessions of the packages below mapper/driver.
type Sealed interface{ Sealed(Token) }

// Token is the argument of Sealed. No other package can name it.
type Token struct{}
