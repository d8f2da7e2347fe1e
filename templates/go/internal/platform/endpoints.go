package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Endpoint is a route of the definition, whose handler setup.go registers.
type Endpoint[Env, Request, Response any] struct {
	handler func(ctx context.Context, env Env, request Request, caller Caller, r *http.Request) (Response, error)
}

// Handle registers the handler. An error that it returns becomes the response. `r` has the headers and bytes of the
// request.
func (e *Endpoint[Env, Request, Response]) Handle(
	handler func(ctx context.Context, env Env, request Request, caller Caller, r *http.Request) (Response, error),
) {
	if e.handler != nil {
		panic("an endpoint has one handler")
	}
	e.handler = handler
}

// HasHandler tells whether the handler is registered.
func (e *Endpoint[Env, Request, Response]) HasHandler() bool { return e.handler != nil }

// Run runs the handler.
func (e *Endpoint[Env, Request, Response]) Run(
	ctx context.Context, env Env, request Request, caller Caller, r *http.Request,
) (Response, error) {
	return e.handler(ctx, env, request, caller, r)
}

// NotImplemented is a handler that responds with 501.
func NotImplemented[Env, Request, Response any](
	context.Context, Env, Request, Caller, *http.Request,
) (response Response, err error) {
	return response, HookError(http.StatusNotImplemented, "Not implemented")
}

// RequireHandlers returns an error unless all endpoints have a handler, so that the service does not start.
func RequireHandlers(handled map[string]bool) error {
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(handled)) {
		if !handled[name] {
			missing = append(missing, "env.Endpoints."+name+".Handle(...)")
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("endpoints without a handler: register them in setup.go with %s", strings.Join(missing, ", "))
}

// OpenEndpoints admits requests of endpoints, by their patterns, without a token. Routes of setup.go, which come first,
// stay closed.
func (api *API) OpenEndpoints(patterns ...string) {
	identify := api.Identify
	api.Identify = func(r *http.Request) (Caller, error) {
		caller, err := identify(r)
		if err != nil && !api.Own.has(r) && slices.Contains(patterns, api.patternOf(r)) {
			return Caller{}, nil
		}
		return caller, err
	}
}

func (api *API) patternOf(r *http.Request) string {
	router := &api.Generated
	if api.Endpoints.has(r) {
		router = &api.Endpoints
	}
	if !router.has(r) {
		return ""
	}
	_, pattern := router.mux.Handler(r)
	return pattern
}

// ReadPath reads what the path of an endpoint contains besides an id.
func ReadPath(r *http.Request, read func(path *Values), names ...string) error {
	path := &Values{given: map[string]json.RawMessage{}, isQuery: true}
	for _, name := range names {
		path.given[name] = textOf(r.PathValue(name))
	}
	read(path)
	return path.Err()
}

// ReadParameters reads the query parameters of an endpoint. Others are rejected.
func ReadParameters(r *http.Request, read func(query *Values)) error {
	query := queryOf(r)
	read(query)
	return query.QueryErr(r)
}

// ReadJSON reads the body of an endpoint, and keeps it for the handler.
func ReadJSON(r *http.Request, read func(body *Values)) error {
	var text bytes.Buffer
	given := r.Body
	r.Body = io.NopCloser(io.TeeReader(given, &text))
	body, err := ReadBody(r)
	r.Body = io.NopCloser(&text)
	if err != nil {
		return err
	}
	read(body)
	return body.Err()
}

// PageRequest is the part of a list that a request asks for.
type PageRequest struct {
	// From 1 to 1000.
	Limit int
	// Next of the page before; empty for the first page.
	After string
}

// Read reads the query parameters `limit` and `after`.
func (p *PageRequest) Read(query *Values) {
	p.Limit = maxRows
	if query.Has("limit") {
		limit, err := limitOf(query.String("limit"))
		if p.Limit = limit; err != nil && query.problem == nil {
			query.problem = err
		}
	}
	if query.Has("after") {
		p.After = query.String("after")
	}
}

// PageResult is a page of entities. Next is opaque to clients, and empty on the last page.
type PageResult[T any] struct {
	Items []T
	Next  string
}

// Respond sends the page in the form of other lists.
func (p PageResult[T]) Respond(w http.ResponseWriter, r *http.Request, key string, request PageRequest) error {
	list := &List[T]{First: p.Items, next: p.Next, limit: request.Limit}
	if list.First == nil {
		list.First = []T{}
	}
	return list.Respond(w, r, key)
}

// ChecksResponses tells whether responses are compared with what is declared: under `portico dev` and in tests.
var ChecksResponses bool

// Respond responds with an object. `read` reads what is declared.
func Respond[T any](w http.ResponseWriter, status int, name string, response T, read func(*T, *Values)) error {
	if ChecksResponses {
		if problem := problemOf(response, read); problem != "" {
			return fmt.Errorf("the response of %s is not what is declared: %s", name, problem)
		}
	}
	return JSON(w, status, response)
}

// problemOf returns how the JSON of a response differs from what a service would accept and write itself.
func problemOf[T any](response T, read func(*T, *Values)) string {
	var declared T
	body, err := membersOf(response)
	if err != nil {
		return err.Error()
	}
	read(&declared, body)
	switch {
	case len(body.missing) > 0:
		return strings.Join(body.missing, ", ") + " must not be null"
	case body.problem != nil:
		problem := strings.TrimPrefix(body.problem.Error(), "Invalid request parameter ")
		return strings.Replace(problem, ": ", " ", 1)
	}
	valid, err := membersOf(declared)
	if err != nil {
		return err.Error()
	}
	for _, name := range slices.Sorted(maps.Keys(body.given)) {
		if !bytes.Equal(body.given[name], valid.given[name]) {
			return fmt.Sprintf("%s must be written as %s", name, valid.given[name])
		}
	}
	return ""
}

func membersOf(value any) (*Values, error) {
	var text bytes.Buffer
	if err := appendJSON(&text, value); err != nil {
		return nil, err
	}
	values := &Values{}
	return values, json.Unmarshal(text.Bytes(), &values.given)
}
