package platform

import "github.com/google/uuid"

// Caller is who sent a request, according to its token.
type Caller struct {
	ID uuid.UUID
	// The roles that the token carries.
	Roles []string
	// As received. Calls to other services pass it on. Empty without a valid token.
	Token string
}
