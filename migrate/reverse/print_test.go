package reverse

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGoNames(t *testing.T) {
	require.Equal(t, map[string]string{
		"user id": "UserID2", "user_id": "UserID", "userId": "UserId", "type": "Type", "1st": "Column1st", "%": "Column", "-": "Column2",
		"größe": "Größe", "日本": "Column日本", "aggregate": "Aggregate2", "_id": "ID",
	}, goNames([]string{"user id", "user_id", "userId", "type", "1st", "%", "-", "größe", "日本", "aggregate", "_id"}, "Column", map[string]bool{"Aggregate": true}))
}

func TestPackageName(t *testing.T) {
	for keyspace, want := range map[string]string{"shop": "shop", "Shop_2": "shop2", "2fa": "k2fa", "type": "ktype", "_": "k"} {
		require.Equal(t, want, PackageName(keyspace))
	}
}
