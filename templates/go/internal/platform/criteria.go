package platform

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// ListQuery has the query parameters that every list with filters or orders has.
type ListQuery struct {
	// 0 or less for all.
	Limit int
	// An id or, in a sorted list, the cursor of a page.
	After string
	// An attribute, or with `-` before it for descending order. Empty for the order of ids.
	Sort string
	// Also counts the entities on all pages.
	Total bool
	// Only those with these ids; nil for all.
	IDIn []uuid.UUID
}

// ReadQuery reads the query parameters that every list has. Returns the values of filters, whose QueryErr rejects others,
// so that a misspelled filter does not return everything.
func ReadQuery(r *http.Request, sorts ...string) (query ListQuery, values *Values) {
	values = queryOf(r)
	if values.Has("limit") {
		query.Limit, values.problem = limitOf(values.String("limit"))
	}
	if values.Has("total") {
		query.Total = values.Bool("total")
	}
	if len(sorts) > 0 && values.Has("sort") {
		query.Sort = values.String("sort")
		if !slices.Contains(sorts, query.Sort) {
			values.reject("sort", "must be one of "+strings.Join(sorts, ", "))
		}
	}
	if values.Has("after") {
		query.After = values.String("after")
		if query.After == "" && values.problem == nil {
			values.problem = invalidCursor(query.Sort)
		}
	}
	query.IDIn = idsOf(values)
	return query, values
}

func invalidCursor(sort string) error {
	if sort == "" {
		return InvalidParameter("after", "must be a UUID")
	}
	return InvalidParameter("after", "must come from a page in the same order")
}

// MaybeNull reads a value, or `null` for entities that have none.
func MaybeNull[T any](v *Values, name string, read func(v *Values, name string) T) Maybe[T] {
	switch {
	case !v.Has(name):
		return Maybe[T]{}
	case string(v.given[name]) == `"null"`:
		return Null[T]()
	}
	return Just(read(v, name))
}

// Key is an attribute that sorts lists.
type Key[T any] struct {
	column     string
	isNullable bool
	// Returns nil for NULL.
	value func(*T) any
	// Reads a value of a cursor.
	read func(v *Values) any
	// Reads the id, the value and the size of a large row.
	scan pgx.RowToFunc[largeRow]
}

// KeyOf sorts by the value of a column.
func KeyOf[T, V any](column string, value func(*T) *V, read func(v *Values, name string) V) *Key[T] {
	anyOf := func(pointer *V) any {
		if pointer == nil {
			return nil
		}
		return *pointer
	}
	return &Key[T]{
		column: column,
		value:  func(row *T) any { return anyOf(value(row)) },
		read:   func(v *Values) any { return read(v, "value") },
		scan: func(row pgx.CollectableRow) (found largeRow, err error) {
			var target *V
			err = row.Scan(&found.at.id, &target, &found.bytes)
			found.at.value, found.at.isSet = anyOf(target), true
			return found, err
		},
	}
}

// Nullable is for a column whose values may be NULL, for which the value of a row is nil.
func (k *Key[T]) Nullable() *Key[T] {
	k.isNullable = true
	return k
}

// cursorOf writes a position as text that is opaque to clients; in the order of ids, it is the id.
func (s search[T]) cursorOf(at position) string {
	if s.key == nil {
		return at.id.String()
	}
	text, _ := json.Marshal([]any{s.sort, at.value, at.id})
	return base64.RawURLEncoding.EncodeToString(text)
}

func (s search[T]) readCursor(cursor string) (position, error) {
	if cursor == "" {
		return position{}, nil
	}
	if s.key == nil {
		id, isValid := ParseID(cursor)
		if !isValid {
			return position{}, invalidCursor("")
		}
		return position{id: id, isSet: true}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	var parts []json.RawMessage
	if err != nil || json.Unmarshal(text, &parts) != nil || len(parts) != 3 {
		return position{}, invalidCursor(s.sort)
	}
	values := &Values{given: map[string]json.RawMessage{"sort": parts[0], "value": parts[1], "id": parts[2]}}
	at := position{isSet: true, id: values.ID("id")}
	if values.Has("value") || !s.key.isNullable {
		at.value = s.key.read(values)
	}
	if values.String("sort") != s.sort || values.Err() != nil {
		return position{}, invalidCursor(s.sort)
	}
	return at, nil
}
