package platform

import (
	"errors"
	"slices"
)

// maxAttempts is how often an update is tried whose value others change at the same moment.
const maxAttempts = 20

// Transition runs an update whose statement changes values only as declared. If the statement finds nothing, check
// tells why: it returns ErrNotFound, or that of RequireChange. Otherwise another request has changed the value in the
// meantime.
func Transition[Row any](update func() (Row, error), check func() error) (updated Row, err error) {
	for range maxAttempts {
		if updated, err = update(); !errors.Is(err, ErrNotFound) {
			return updated, err
		}
		if err := check(); err != nil {
			return updated, err
		}
	}
	return updated, err
}

// RequireChange returns 409 unless a stored value is kept or is one that can become the other.
func RequireChange[Word ~string](name string, from Word, to *Word, next []Word) error {
	if to == nil || *to == from || slices.Contains(next, *to) {
		return nil
	}
	return Conflict(name + " cannot change from " + string(from) + " to " + string(*to))
}
