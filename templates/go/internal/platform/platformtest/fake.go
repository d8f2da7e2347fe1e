package platformtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// Entity is what a stand-in for a service answers with.
type Entity struct {
	// As in paths: `book`.
	Name string
	// As in responses of lists: `BookList`.
	ListKey string
	// The entity, with its id.
	JSON string
}

// Fake stands in for a service that others call, whose own entity is the first one, and returns its URL. All that is
// referred to exists, and requests are answered with the entity of the last name in their path.
func Fake(t *testing.T, entities ...Entity) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/references":
			_, _ = w.Write([]byte(`{"unknown": []}`))
			return
		case "/read-many":
			_, _ = fmt.Fprintf(w, `{"entities": [%s]}`, entities[0].JSON)
			return
		}
		names := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/"), "/")
		for _, entity := range entities {
			if names[(len(names)-1)/2*2] == entity.Name {
				entity.answer(w, r, names[len(names)-1])
				return
			}
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func (e Entity) answer(w http.ResponseWriter, r *http.Request, last string) {
	switch {
	case last == "all":
		_, _ = fmt.Fprintf(w, `{%q: [%s]}`, e.ListKey, e.JSON)
	case last == e.Name && r.Method == http.MethodGet:
		// Asks for the id of the caller's entity.
		var stored struct{ ID uuid.UUID }
		_ = json.Unmarshal([]byte(e.JSON), &stored)
		http.Redirect(w, r, r.URL.Path+"/"+stored.ID.String(), http.StatusFound)
	default:
		_, _ = w.Write([]byte(e.JSON))
	}
}
