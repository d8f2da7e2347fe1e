package platform

// Maybe is a value that may be NULL, or absent: what an update leaves as it is, or what a list is not filtered by. Its
// zero value is absent.
type Maybe[T any] struct {
	value     *T
	isPresent bool
}

// Just returns a value that is present.
func Just[T any](value T) Maybe[T] { return Maybe[T]{&value, true} }

// Null returns a value that is NULL.
func Null[T any]() Maybe[T] { return Maybe[T]{nil, true} }

// Value returns the value, which is nil for NULL and where it is absent.
func (m Maybe[T]) Value() *T { return m.value }

// IsPresent tells whether there is a value or NULL.
func (m Maybe[T]) IsPresent() bool { return m.isPresent }
