package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
)

// caller is the user who sent a request.
type caller struct {
	id    uuid.UUID
	token string
}

func callerOf(ctx context.Context) caller {
	who, _ := ctx.Value(callerKey).(caller)
	return who
}

const maxRemembered = 10_000

// tokens verifies tokens. Verifying a signature takes longer than the rest of many requests, so they are remembered.
type tokens struct {
	keys       map[string][]byte
	mutex      sync.RWMutex
	remembered map[string]verified
}

type verified struct {
	caller  caller
	expires time.Time
}

type claims struct {
	jwt.RegisteredClaims
	ID uuid.UUID `json:"id"`
}

func readCredentials(file string) (*tokens, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var content struct {
		Credentials []struct{ ID, Secret string }
	}
	if err := json.Unmarshal(text, &content); err != nil {
		return nil, err
	}
	known := &tokens{keys: map[string][]byte{}, remembered: map[string]verified{}}
	for _, each := range content.Credentials {
		if known.keys[each.ID], err = base64.RawURLEncoding.DecodeString(each.Secret); err != nil {
			return nil, err
		}
	}
	return known, nil
}

func withCaller(known *tokens, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		who, isValid := known.check(token)
		if !isBearer || !isValid {
			writeError(w, r, &statusError{http.StatusUnauthorized, "Unauthorized"})
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey, who)))
	})
}

func (t *tokens) check(token string) (caller, bool) {
	t.mutex.RLock()
	known, isKnown := t.remembered[token]
	t.mutex.RUnlock()
	if !isKnown {
		var err error
		if known, err = t.verify(token); err != nil {
			return caller{}, false
		}
		t.mutex.Lock()
		if len(t.remembered) >= maxRemembered {
			clear(t.remembered)
		}
		t.remembered[token] = known
		t.mutex.Unlock()
	}
	return known.caller, time.Now().Before(known.expires)
}

func (t *tokens) verify(token string) (verified, error) {
	var content claims
	_, err := jwt.ParseWithClaims(token, &content, func(*jwt.Token) (any, error) {
		key, isKnown := t.keys[content.Issuer]
		if !isKnown {
			return nil, jwt.ErrTokenInvalidIssuer
		}
		return key, nil
	}, jwt.WithValidMethods([]string{"HS256"}), jwt.WithExpirationRequired())
	if err != nil {
		return verified{}, err
	}
	return verified{caller{content.ID, token}, content.ExpiresAt.Time}, nil
}
