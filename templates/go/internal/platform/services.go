package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Client calls the internal port of a service. It passes the caller's token on, so that access rules apply.
type Client struct {
	name, url string
	timeout   time.Duration
	http      *http.Client
}

const maxConnections = 128

// The pause before each attempt. There are several, because all pooled connections break when a service restarts.
var pauses = []time.Duration{0, 0, 50 * time.Millisecond, 100 * time.Millisecond, 150 * time.Millisecond}

// NewClient creates a client for a service, by its declared name.
func NewClient(name, url string, timeout time.Duration) *Client {
	transport := &http.Transport{
		MaxConnsPerHost:     maxConnections,
		MaxIdleConnsPerHost: maxConnections,
		IdleConnTimeout:     time.Minute,
		DisableCompression:  true,
	}
	redirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{name, url, timeout, &http.Client{Transport: transport, Timeout: timeout, CheckRedirect: redirect}}
}

// Name returns the name of the service.
func (c *Client) Name() string { return c.name }

// Unknown makes the client a target of references.
func (c *Client) Unknown(ctx context.Context, ids []uuid.UUID, caller Caller) ([]uuid.UUID, error) {
	var answer struct {
		Unknown []uuid.UUID `json:"unknown"`
	}
	err := c.Send(ctx, http.MethodPost, "/references", caller, map[string]any{"ids": ids}, &answer)
	if errors.Is(err, ErrNotFound) {
		return ids, nil
	}
	return answer.Unknown, err
}

// Exists tells whether an entity exists and the caller may read it.
func (c *Client) Exists(ctx context.Context, id uuid.UUID, caller Caller) (bool, error) {
	unknown, err := c.Unknown(ctx, []uuid.UUID{id}, caller)
	return err == nil && len(unknown) == 0, err
}

// Condition is what a request requires of the state of an entity.
type Condition interface {
	setHeader(header http.Header) error
}

// Send sends a request, again if the service has not handled it or, for requests that only read, if it failed. Returns
// ErrNotFound for 404, and *Error with status and message for what was refused.
func (c *Client) Send(
	ctx context.Context, method, path string, caller Caller, body, answer any, conditions ...Condition,
) (err error) {
	warnOfCall(ctx, c.name)
	ctx, end := traceCall(ctx, method, c.name)
	defer func() { end(err) }()
	header := http.Header{}
	for _, condition := range conditions {
		if err := condition.setHeader(header); err != nil {
			return err
		}
	}
	var text []byte
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	deadline := time.Now().Add(c.timeout)
	onlyReads := method == http.MethodGet || path == "/references" || path == "/read-many"
	for _, pause := range pauses {
		time.Sleep(pause)
		err := c.attempt(ctx, method, path, header, caller, text, answer)
		refusal, isAnswer := errors.AsType[*Error](err)
		if err == nil || errors.Is(err, ErrNotFound) || isAnswer && refusal.Status < http.StatusInternalServerError {
			return err
		}
		isHandled := !isAnswer || refusal.Message != notServing
		isBusy := !isAnswer || refusal.Status == http.StatusServiceUnavailable
		if !isBusy || isHandled && !onlyReads || time.Now().After(deadline) {
			break
		}
	}
	return Unavailable(c.name)
}

// warned has the places of calls that have been logged.
var warned sync.Map

// warnOfCall logs a warning, once for each place in your code, if a call of another service holds a connection meanwhile.
func warnOfCall(ctx context.Context, service string) {
	t := transactionOf(ctx)
	if t == nil || !t.isOpen() {
		return
	}
	callers := make([]uintptr, maxFrames)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	frame, isMore := frames.Next()
	for isMore && strings.Contains(frame.Function, "/internal/") {
		frame, isMore = frames.Next()
	}
	place := fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
	if _, isKnown := warned.LoadOrStore(place, true); !isKnown {
		t.db.log.WarnContext(ctx, "A transaction holds a connection while it waits for another service",
			"service", service, "place", place)
	}
}

const maxFrames = 16

func (t *transaction) isOpen() bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.tx != nil && !t.hasEnded
}

func (c *Client) attempt(
	ctx context.Context, method, path string, header http.Header, caller Caller, body []byte, answer any,
) error {
	r, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header = header.Clone()
	if caller.Token != "" {
		r.Header.Set("Authorization", "Bearer "+caller.Token)
	}
	if current := requestOf(ctx); current != nil {
		r.Header.Set("X-Request-Id", current.id)
		r.Header.Set("Traceparent", current.traceparent)
		if current.tracestate != "" {
			r.Header.Set("Tracestate", current.tracestate)
		}
	}
	response, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	switch status := response.StatusCode; {
	case status == http.StatusNotFound:
		return ErrNotFound
	case status == http.StatusUnauthorized:
		return Unauthorized()
	case status == http.StatusFound:
		location := response.Header.Get("Location")
		text = []byte(strconv.Quote(location[strings.LastIndex(location, "/")+1:]))
	case status >= http.StatusMultipleChoices:
		// Hooks can respond in another form.
		body := errorBody{string(text)}
		_ = json.Unmarshal(text, &body)
		return &Error{Status: status, Message: body.Error}
	}
	if answer == nil {
		return nil
	}
	if known, isKnown := answer.(interface{ receive(header http.Header) }); isKnown {
		known.receive(response.Header)
	}
	return json.Unmarshal(text, answer)
}

// FetchList returns the entities that the response has under the key.
func FetchList[T any](
	ctx context.Context, c *Client, path, key string, parameters *Parameters, caller Caller,
) ([]T, error) {
	if parameters.isEmpty {
		return []T{}, nil
	}
	if len(parameters.values) > 0 {
		path += "?" + parameters.values.Encode()
	}
	var answer map[string][]T
	err := c.Send(ctx, http.MethodGet, path, caller, nil, &answer)
	return answer[key], err
}

// FetchMany returns those of the entities that exist and that the caller may read, with few requests.
func FetchMany[T any](ctx context.Context, c *Client, ids []uuid.UUID, caller Caller) ([]T, error) {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	found := []T{}
	for part := range slices.Chunk(slices.Compact(ids), maxIDs) {
		var answer struct {
			Entities []T `json:"entities"`
		}
		err := c.Send(ctx, http.MethodPost, "/read-many", caller, map[string]any{"ids": part}, &answer)
		if err != nil {
			return nil, err
		}
		found = append(found, answer.Entities...)
	}
	return found, nil
}

// Parameters are the query parameters of a list of another service.
type Parameters struct {
	values url.Values
	// Nothing is in an empty list.
	isEmpty bool
}

// Parameters writes the query parameters of a page.
func (p Page) Parameters() *Parameters {
	parameters := &Parameters{values: url.Values{}}
	if p.Limit > 0 {
		parameters.values.Set("limit", strconv.Itoa(p.Limit))
	}
	if p.After != uuid.Nil {
		parameters.values.Set("after", p.After.String())
	}
	if p.IDIn != nil {
		texts := make([]string, len(p.IDIn))
		for index, id := range p.IDIn {
			texts[index] = id.String()
		}
		parameters.isEmpty = len(texts) == 0
		parameters.values.Set("id[in]", strings.Join(texts, ","))
	}
	return parameters
}
