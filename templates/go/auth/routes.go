package main

import (
	"context"
	"errors"
	"math"
	"net/http"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"example.com/project/internal/platform"
)

// Credentials is what a client sends to register or log in.
type Credentials struct {
	Email    string
	Password string
}

// What `<input type=email>` accepts: https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
var emailPattern = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@" +
	`[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`)

const (
	// RFC 5321, section 4.5.3.1.3, without the angle brackets of a path.
	maxEmailBytes     = 254
	minPasswordLength = 8
	// bcrypt ignores everything after the 72nd byte.
	maxPasswordBytes = 72
)

// normalized returns the password as the systems of all users write it (RFC 8265, OpaqueString). Some compose `é` of two
// characters, or type a space that is not that of ASCII.
func normalized(password string) string {
	spaced := strings.Map(func(char rune) rune {
		if unicode.Is(unicode.Zs, char) {
			return ' '
		}
		return char
	}, password)
	return norm.NFC.String(spaced)
}

// asLogin returns the password of a login, which may be of an account whose password was not normalized.
func asLogin(password string) string {
	isValid := utf8.RuneCountInString(password) >= minPasswordLength && len(password) <= maxPasswordBytes
	if isValid && !strings.Contains(password, "\x00") {
		return password
	}
	return normalized(password)
}

func readCredentials(r *http.Request, change func(password string) string) (Credentials, error) {
	body, err := platform.ReadBody(r)
	if err != nil {
		return Credentials{}, err
	}
	request := Credentials{Email: body.String("email")}
	switch {
	case len(utf16.Encode([]rune(request.Email))) > maxEmailBytes:
		body.Reject("email", "must have at most 254 bytes")
	case !emailPattern.MatchString(request.Email):
		body.Reject("email", "must be an email address")
	}
	request.Password = body.Changed("password", minPasswordLength, math.MaxInt, change)
	if len(request.Password) > maxPasswordBytes {
		body.Reject("password", "must have at most 72 bytes")
	}
	return request, body.Err()
}

// Result is what hooks get of a registration or login. Only the token is sent to the client.
type Result struct {
	ID          uuid.UUID `json:"-"`
	Email       string    `json:"-"`
	AccessToken string
}

type routes struct{ *Env }

// addressOf returns the address that the gateway or the last trusted proxy has added.
func (s routes) addressOf(r *http.Request) string {
	addresses := strings.Split(r.Header.Get("X-Forwarded-For"), ",")
	index := len(addresses) - 1 - s.Config.TrustedProxies
	if index < 0 {
		return ""
	}
	return strings.TrimSpace(addresses[index])
}

// logIn issues a token. Returns what hooks get.
func (s routes) logIn(account Auth) (Result, platform.Caller, error) {
	token, err := s.IssueToken(account)
	result := Result{ID: account.ID, Email: account.Email, AccessToken: token}
	return result, platform.Caller{ID: account.ID, Roles: account.roles(s.Config), Token: token}, err
}

func (s routes) register(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	request, err := readCredentials(r, normalized)
	if err != nil {
		return err
	}
	var requestedHash string
	// Hashed before the transaction, which would otherwise wait for it.
	err = s.Passwords.InTurn(s.addressOf(r), func() (err error) {
		requestedHash, err = s.Passwords.hash(request.Password)
		return err
	})
	if err != nil {
		return err
	}
	var result Result
	err = s.WithHooks(ctx, &s.Hooks.BeforeRegister, &s.Hooks.AfterRegister, func(ctx context.Context) error {
		input := Registration{Credentials: request}
		if err := s.Hooks.BeforeRegister.Run(ctx, s.Env, request, &input, platform.Caller{}); err != nil {
			return err
		}
		passwordHash := requestedHash
		if input.Password != request.Password {
			if passwordHash, err = s.Passwords.Hash(input.Password); err != nil {
				return err
			}
		}
		account := newAccount(newAccountID(), input, passwordHash)
		if err := s.Datastore.CreateAuth(ctx, account); err != nil {
			return err
		}
		var caller platform.Caller
		if result, caller, err = s.logIn(account); err != nil {
			return err
		}
		return s.Hooks.AfterRegister.Run(ctx, s.Env, &result, caller)
	})
	if err != nil {
		return err
	}
	return platform.JSON(w, http.StatusCreated, result)
}

func (s routes) login(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	request, err := readCredentials(r, asLogin)
	if err != nil {
		return err
	}
	input := request
	if err := s.Hooks.BeforeLogin.Run(ctx, s.Env, request, &input, platform.Caller{}); err != nil {
		return err
	}
	var account Auth
	err = s.Passwords.InTurn(s.addressOf(r), func() error {
		found, err := s.Datastore.FindAuth(ctx, input.Email)
		if err != nil && !errors.Is(err, platform.ErrNotFound) {
			return err
		}
		if !s.Passwords.matches(input.Password, found.PasswordHash) {
			header := http.Header{"Www-Authenticate": {"Bearer"}}
			return &platform.Error{Status: http.StatusUnauthorized, Message: "Invalid email or password", Header: header}
		}
		account = found
		return nil
	})
	if err != nil {
		return err
	}
	result, caller, err := s.logIn(account)
	if err != nil {
		return err
	}
	if err := s.Hooks.AfterLogin.Run(ctx, s.Env, &result, caller); err != nil {
		return err
	}
	return platform.JSON(w, http.StatusOK, result)
}
