package platformtest

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/project/internal/platform"
)

// FakeAccounts stands in for the authentication service. It answers with the account, whichever is asked for.
func FakeAccounts(t *testing.T, account string) *platform.Accounts {
	t.Helper()
	key := platform.ServiceKey{Directory: t.TempDir(), Caller: "test", Callee: "auth"}
	text := base64.RawURLEncoding.EncodeToString(make([]byte, 32))
	if err := os.WriteFile(filepath.Join(key.Directory, "test.auth.key"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return platform.NewAccounts(Fake(t, Entity{Name: "auth", JSON: account}), time.Second, key)
}
