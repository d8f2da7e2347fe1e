package platform

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// ServiceKey proves to a service which other service calls it for itself, and not for a user. Only these two know the
// keys. They are in a file of the directory, such as `home.auth.key`, one per line. The first one signs, all of them
// verify, so that they can be rotated.
type ServiceKey struct{ Directory, Caller, Callee string }

const (
	serviceTokenType     = "service+jwt"
	serviceTokenLifetime = time.Minute
	// How far the clock of the caller may be ahead.
	serviceTokenLeeway = 5 * time.Second
)

// read reads the file each time, so that a rotated key is used at once.
func (k ServiceKey) read() ([][]byte, error) {
	file := filepath.Join(k.Directory, k.Caller+"."+k.Callee+".key")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var keys [][]byte
	for line := range strings.Lines(string(text)) {
		key, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(line))
		if err != nil || len(key) != 32 {
			// Without anything from the file, because it would be logged.
			return nil, fmt.Errorf("%s does not contain valid keys", file)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s does not contain valid keys", file)
	}
	return keys, nil
}

// Sign returns a token that proves to the callee, and to nobody else, who calls. It has no `id`, so it is never a user's.
func (k ServiceKey) Sign() (string, error) {
	keys, err := k.read()
	if err != nil {
		return "", err
	}
	now := time.Now()
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Issuer:    k.Caller,
		Audience:  jwt.ClaimStrings{k.Callee},
		IssuedAt:  jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(serviceTokenLifetime)),
	})
	token.Header["typ"] = serviceTokenType
	return token.SignedString(keys[0])
}

// RequireService rejects requests that are not from one of the callers, whose keys are in the directory.
func RequireService(directory, callee string, callers ...string) Identify {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(), jwt.WithAudience(callee), jwt.WithLeeway(serviceTokenLeeway))
	return func(r *http.Request) (Caller, error) {
		scheme, text, _ := strings.Cut(strings.Join(r.Header.Values("Authorization"), ", "), " ")
		var content jwt.RegisteredClaims
		unverified, _, err := parser.ParseUnverified(text, &content)
		if err != nil || !strings.EqualFold(scheme, "bearer") || !slices.Contains(callers, content.Issuer) ||
			unverified.Header["typ"] != serviceTokenType {
			return Caller{}, Unauthorized()
		}
		keys, err := ServiceKey{directory, content.Issuer, callee}.read()
		if err != nil {
			return Caller{}, err
		}
		for _, key := range keys {
			_, err := parser.ParseWithClaims(text, &content, func(*jwt.Token) (any, error) { return key, nil })
			if err == nil && content.IssuedAt != nil &&
				time.Since(content.IssuedAt.Time) <= serviceTokenLifetime+serviceTokenLeeway {
				return Caller{}, nil
			}
		}
		return Caller{}, Unauthorized()
	}
}
