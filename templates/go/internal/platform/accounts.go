package platform

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"
)

// Account is a user account.
type Account struct {
	// The `id` of the tokens of the user.
	ID uuid.UUID `json:"id"`
	// As registered.
	Email string `json:"email"`
	// The roles that the next token of the user carries.
	Roles []string `json:"roles"`
}

// Accounts reads accounts of the authentication service. The calls are those of this service, whoever caused them.
type Accounts struct {
	client *Client
	key    ServiceKey
}

// NewAccounts creates a client for the internal URL of the authentication service. Calls take at most the timeout.
func NewAccounts(url string, timeout time.Duration, key ServiceKey) *Accounts {
	return &Accounts{NewClient("Auth", url, timeout), key}
}

// Read returns the account with an id, or ErrNotFound.
func (a *Accounts) Read(ctx context.Context, id uuid.UUID) (Account, error) {
	found, err := a.ReadMany(ctx, []uuid.UUID{id})
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Account{}, err
	}
	return found[0], nil
}

// ReadMany returns those of the accounts that exist, with few requests.
func (a *Accounts) ReadMany(ctx context.Context, ids []uuid.UUID) ([]Account, error) {
	token, err := a.key.Sign()
	if err != nil {
		return nil, err
	}
	found, err := FetchMany[Account](ctx, a.client, ids, Caller{Token: token})
	// The client of this service is not the one whose token is refused.
	if refusal, isRefusal := errors.AsType[*Error](err); isRefusal && refusal.Status == http.StatusUnauthorized {
		err = Unavailable(a.client.name)
	}
	return found, err
}
