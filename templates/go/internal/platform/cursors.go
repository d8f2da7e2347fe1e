package platform

import (
	"encoding/base64"
	"encoding/json"

	"github.com/google/uuid"
)

// Key is an attribute that sorts lists.
type Key[T any] struct {
	// Returns nil for NULL.
	value func(*T) any
	// Reads a value of a cursor.
	read func(v *Values) any
	// Returns a target to scan the column into, and what reads the value from it.
	scan func() (target any, value func() any)
}

// KeyOf sorts by a value, which is nil for NULL.
func KeyOf[T, V any](value func(*T) *V, read func(v *Values, name string) V) *Key[T] {
	anyOf := func(pointer *V) any {
		if pointer == nil {
			return nil
		}
		return *pointer
	}
	return &Key[T]{
		value: func(row *T) any { return anyOf(value(row)) },
		read:  func(v *Values) any { return read(v, "value") },
		scan: func() (any, func() any) {
			target := new(*V)
			return target, func() any { return anyOf(*target) }
		},
	}
}

// position is a place in an order: an id, and the value of the attribute that sorts the list.
type position struct {
	isSet bool
	value any
	id    uuid.UUID
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
		return position{true, nil, id}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	var parts []json.RawMessage
	if err != nil || json.Unmarshal(text, &parts) != nil || len(parts) != 3 {
		return position{}, invalidCursor(s.sort)
	}
	values := &Values{given: map[string]json.RawMessage{"sort": parts[0], "value": parts[1], "id": parts[2]}}
	at := position{isSet: true, id: values.ID("id")}
	if values.Has("value") || s.order.AfterNull == nil {
		at.value = s.key.read(values)
	}
	if values.String("sort") != s.sort || values.Err() != nil {
		return position{}, invalidCursor(s.sort)
	}
	return at, nil
}
