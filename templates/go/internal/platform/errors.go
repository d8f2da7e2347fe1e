package platform

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
)

// Error ends a request with a status and {"error": message}.
type Error struct {
	Status  int
	Message string
	Header  map[string]string
}

func (e *Error) Error() string { return e.Message }

// ErrNotFound is returned by the data access for what does not exist.
var ErrNotFound = errors.New("not found")

// HookError is what a hook returns to end the request.
func HookError(status int, message string) error {
	if status < 200 || status > 599 {
		panic("a HookError needs a status from 200 to 599")
	}
	return &Error{Status: status, Message: message}
}

// BadRequest is the error 400.
func BadRequest(format string, values ...any) error {
	return &Error{Status: http.StatusBadRequest, Message: fmt.Sprintf(format, values...)}
}

// InvalidParameter is the error for an attribute or a query parameter.
func InvalidParameter(name, problem string) error {
	return BadRequest("Invalid request parameter %s: %s", name, problem)
}

// Forbidden is the error for a caller who may read an entity but not write it.
func Forbidden() error { return &Error{Status: http.StatusForbidden, Message: "Forbidden"} }

// NotFound is the error for an entity that does not exist or that the caller may not read.
func NotFound(entity string, id uuid.UUID) error {
	return &Error{Status: http.StatusNotFound, Message: fmt.Sprintf("%s not found: %s", entity, id)}
}

// OrNotFound replaces ErrNotFound by the error for an entity.
func OrNotFound(err error, entity string, id uuid.UUID) error {
	if errors.Is(err, ErrNotFound) {
		return NotFound(entity, id)
	}
	return err
}

// Unauthorized is the error for a request without a valid token.
func Unauthorized() error {
	header := map[string]string{"WWW-Authenticate": "Bearer"}
	return &Error{Status: http.StatusUnauthorized, Message: "Unauthorized", Header: header}
}

func tooLarge() error {
	return &Error{Status: http.StatusRequestEntityTooLarge, Message: "Request body too large"}
}

// Conflict is the error for a write that the state of other entities forbids.
func Conflict(message string) error { return &Error{Status: http.StatusConflict, Message: message} }

func unsupportedEncoding() error {
	header := map[string]string{"Accept-Encoding": "identity"}
	return &Error{Status: http.StatusUnsupportedMediaType, Message: "Unsupported content encoding", Header: header}
}

// Unavailable is the error of a service that does not answer.
func Unavailable(service string) error { return retryLater(service + " is unavailable") }

// notServing is the message of a service that does not handle requests yet.
const notServing = "Starting"

func retryLater(message string) error {
	header := map[string]string{"Retry-After": "1"}
	return &Error{Status: http.StatusServiceUnavailable, Message: message, Header: header}
}

// ErrorNames are what the error responses of a service name.
type ErrorNames struct {
	// The service as declared.
	Service string
	// The message for each constraint of the database that a request can violate.
	Conflicts map[string]string
}

// respond sends the response for an error. Details of failures go only to the log.
func (names ErrorNames) respond(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	known, isKnown := errors.AsType[*Error](err)
	if !isKnown {
		known = names.translate(r, log, err)
	}
	for name, value := range known.Header {
		w.Header().Set(name, value)
	}
	_ = JSON(w, known.Status, errorBody{known.Message})
}

type errorBody struct {
	Error string `json:"error"`
}

// The errors for violated constraints, by SQLSTATE: unique and exclusion constraints, checks and foreign keys.
var violations = map[string]Error{
	"23505": {Status: http.StatusConflict, Message: "Conflict"},
	"23P01": {Status: http.StatusConflict, Message: "Conflict"},
	"23514": {Status: http.StatusBadRequest, Message: "Invalid request"},
	"23503": {Status: http.StatusBadRequest, Message: "Invalid request"},
}

// violation returns the error for a violated constraint that a request can violate.
func (names ErrorNames) violation(err error) *Error {
	failure, _ := errors.AsType[*pgconn.PgError](err)
	if failure == nil {
		return nil
	}
	violated, isKnown := violations[failure.Code]
	message, isNamed := names.Conflicts[failure.ConstraintName]
	if isNamed {
		violated.Message = message
	}
	// Only generated constraints have `__` in their names. The service has checked what most of them check.
	if !isKnown || !isNamed && strings.Contains(failure.ConstraintName, "__") {
		return nil
	}
	return &violated
}

func (names ErrorNames) translate(r *http.Request, log *slog.Logger, err error) *Error {
	if violated := names.violation(err); violated != nil {
		return violated
	}
	if errors.Is(err, ErrNotFound) {
		return &Error{Status: http.StatusNotFound, Message: "Not found"}
	}
	if isUnavailable(err) {
		log.WarnContext(r.Context(), "Database unavailable", errorAttr(err))
		unavailable, _ := errors.AsType[*Error](Unavailable(names.Service))
		return unavailable
	}
	log.ErrorContext(r.Context(), "Request failed", errorAttr(err))
	return &Error{Status: http.StatusInternalServerError, Message: "Internal server error"}
}
