package platform

import "github.com/google/uuid"

// ID reads a UUID of any version.
func (v *Values) ID(name string) uuid.UUID {
	text, _, isGiven := v.text(name, "must be a UUID")
	id, isValid := ParseID(text)
	if isGiven && !isValid {
		v.reject(name, "must be a UUID")
	}
	return id
}

// NewID returns a UUID of version 7. The order of ids is the order of creation.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

const idLength = 36

// ParseID reads a UUID in its usual form. uuid.Parse accepts others too.
func ParseID(text string) (uuid.UUID, bool) {
	if len(text) != idLength {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(text)
	return id, err == nil
}
