package platform

import (
	"bytes"
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const maxKeptBuffer = 64 * 1024

// JSON responds with a value.
func JSON(w http.ResponseWriter, status int, value any) error {
	buffer := buffers.Get().(*bytes.Buffer)
	buffer.Reset()
	if err := appendJSON(buffer, value); err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(buffer.Len()))
	w.WriteHeader(status)
	// An error means that the client is gone.
	_, _ = w.Write(buffer.Bytes())
	if buffer.Cap() <= maxKeptBuffer {
		buffers.Put(buffer)
	}
	return nil
}

// appendJSON writes a value as JSON.stringify does: without a newline, and without escapes for HTML and JavaScript.
func appendJSON(buffer *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	buffer.Truncate(buffer.Len() - 1)
	if bytes.Contains(buffer.Bytes(), []byte(`\u202`)) {
		plain := separators.Replace(buffer.String())
		buffer.Reset()
		buffer.WriteString(plain)
	}
	return nil
}

// separators replaces the escapes of U+2028 and U+2029, which encoding/json always writes, but not those after an
// escaped backslash.
var separators = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")

// Created responds with 201 and the path of what was created: `/api/home/{id}`.
func Created(w http.ResponseWriter, value any, location ...string) error {
	w.Header().Set("Location", "/api/"+strings.Join(location, "/"))
	return JSON(w, http.StatusCreated, value)
}

// Redirect responds with 302.
func Redirect(w http.ResponseWriter, location ...string) error {
	w.Header().Set("Location", "/api/"+strings.Join(location, "/"))
	w.WriteHeader(http.StatusFound)
	return nil
}

// unsent are the responses that clients have not received, in the order in which they began to wait. When all take too
// much memory, those that have been waiting longest lose their connection.
var unsent struct {
	sync.Mutex
	maxBytes, bytes int
	waiting         list.List
	onSlow          func(bytes int)
}

type waiting struct {
	writer http.ResponseWriter
	bytes  int
}

// A response up to this size fits into the buffers of the connection.
const smallResponseBytes = 16 * 1024

// send writes a part of a response. It blocks while the client does not receive it.
func send(w http.ResponseWriter, body []byte) error {
	if len(body) > smallResponseBytes {
		defer startWaiting(w, len(body))()
	}
	_, err := w.Write(body)
	return err
}

func startWaiting(w http.ResponseWriter, bytes int) (end func()) {
	unsent.Lock()
	defer unsent.Unlock()
	element := unsent.waiting.PushBack(waiting{w, bytes})
	unsent.bytes += bytes
	over := unsent.bytes - unsent.maxBytes
	for each := unsent.waiting.Front(); each != element && over > 0; each = each.Next() {
		slow := each.Value.(waiting)
		over -= slow.bytes
		unsent.onSlow(slow.bytes)
		_ = http.NewResponseController(slow.writer).SetWriteDeadline(time.Now())
	}
	return func() {
		unsent.Lock()
		defer unsent.Unlock()
		unsent.bytes -= bytes
		unsent.waiting.Remove(element)
	}
}

// Error ends a request with a status and {"error": message}.
type Error struct {
	Status  int
	Message string
	Header  http.Header
}

func (e *Error) Error() string { return e.Message }

// ErrNotFound is returned by the data access for what does not exist.
var ErrNotFound = errors.New("not found")

var (
	errTooLarge            = &Error{Status: http.StatusRequestEntityTooLarge, Message: "Request body too large"}
	errUnsupportedEncoding = &Error{Status: http.StatusUnsupportedMediaType, Message: "Unsupported content encoding",
		Header: http.Header{"Accept-Encoding": {"identity"}}}
)

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

// OrNotFound replaces ErrNotFound by the error of the checks, or else by the error for an entity.
func OrNotFound(err error, entity string, id uuid.UUID, checks ...func() error) error {
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return NotFound(entity, id)
}

// IgnoreNotFound returns nil for ErrNotFound, and other errors as they are.
func IgnoreNotFound(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// Unauthorized is the error for a request without a valid token.
func Unauthorized() error {
	header := http.Header{"Www-Authenticate": {"Bearer"}}
	return &Error{Status: http.StatusUnauthorized, Message: "Unauthorized", Header: header}
}

// Conflict is the error for a write that the state of other entities forbids.
func Conflict(message string) error { return &Error{Status: http.StatusConflict, Message: message} }

// Unavailable is the error of a service that does not answer.
func Unavailable(service string) *Error { return retryLater(service + " is unavailable") }

// notServing is the message of a service that does not handle requests yet.
const notServing = "Starting"

func retryLater(message string) *Error {
	return &Error{Status: http.StatusServiceUnavailable, Message: message, Header: http.Header{"Retry-After": {"1"}}}
}

// respond sends the response for the error.
func (e *Error) respond(w http.ResponseWriter) {
	maps.Copy(w.Header(), e.Header)
	_ = JSON(w, e.Status, errorBody{e.Message})
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
func violation(err error, conflicts map[string]string) *Error {
	failure, _ := errors.AsType[*pgconn.PgError](err)
	if failure == nil {
		return nil
	}
	violated, isKnown := violations[failure.Code]
	message, isNamed := conflicts[failure.ConstraintName]
	if isNamed {
		violated.Message = message
	}
	// Only generated constraints have `__` in their names. The service has checked what most of them check.
	if !isKnown || !isNamed && strings.Contains(failure.ConstraintName, "__") {
		return nil
	}
	return &violated
}

// translate returns what the response says about an error. Details of failures go only to the log.
func (api *API) translate(ctx context.Context, err error) *Error {
	if known, isKnown := errors.AsType[*Error](err); isKnown {
		return known
	}
	if violated := violation(err, api.Conflicts); violated != nil {
		return violated
	}
	if errors.Is(err, ErrNotFound) {
		return &Error{Status: http.StatusNotFound, Message: "Not found"}
	}
	if isUnavailable(err) {
		api.Log.WarnContext(ctx, "Database unavailable", errorAttr(err))
		return Unavailable(api.Service)
	}
	api.Log.ErrorContext(ctx, "Request failed", errorAttr(err))
	return &Error{Status: http.StatusInternalServerError, Message: "Internal server error"}
}
