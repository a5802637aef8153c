package article_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/internal/article"
)

func TestWith(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Item", "Order", "Account", "Element", "Upload", "Umbrella", "UncleName", "Hour", "ISBN", "O", "OnlineShop"} {
		require.Equal(t, "an "+name, article.With(name))
	}
	for _, name := range []string{"Vehicle", "User", "Unit", "Usage", "URL", "European", "OneTimeCode", "House", "Évent", "U", ""} {
		require.Equal(t, "a "+name, article.With(name))
	}
}
