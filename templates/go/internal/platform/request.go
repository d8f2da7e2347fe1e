package platform

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// request is what is known about the request that is being handled.
type request struct {
	id, traceparent, tracestate string
	caller                      Caller
	err                         error
}

type requestKey struct{}

func requestOf(ctx context.Context) *request {
	r, _ := ctx.Value(requestKey{}).(*request)
	return r
}

// Caller is who sent a request, according to its token.
type Caller struct {
	ID uuid.UUID
	// The roles that the token carries.
	Roles []string
	// As received. Calls to other services pass it on. Empty without a valid token.
	Token string
}

// CallerOf returns who sent the request. Without a token, its id is the nil UUID.
func CallerOf(ctx context.Context) Caller {
	if r := requestOf(ctx); r != nil {
		return r.caller
	}
	return Caller{}
}

var (
	requestID   = regexp.MustCompile(`^[\w=-]{1,255}$`)
	traceParent = regexp.MustCompile(`^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$`)
)

// newRequest takes the ids of the request and its trace from the header, or makes new ones.
func newRequest(header http.Header) *request {
	r := &request{id: header.Get("X-Request-Id"), traceparent: header.Get("Traceparent")}
	if r.id == "" || !requestID.MatchString(r.id) {
		r.id = uuid.NewString()
	}
	switch {
	case r.traceparent == "", !traceParent.MatchString(r.traceparent), r.traceID() == strings.Repeat("0", 32),
		r.traceparent[36:52] == strings.Repeat("0", 16):
		random := uuid.New()
		id := hex.EncodeToString(random[:])
		r.traceparent = "00-" + id + "-" + id[16:] + "-01"
	default:
		r.tracestate = header.Get("Tracestate")
	}
	return r
}

func (r *request) traceID() string { return r.traceparent[3:35] }

// What sends spans to an OpenTelemetry collector. Only builds with the tag `otel` set startSpans, which sets the others.
var (
	// startSpans begins to send spans, and returns what sends the last ones.
	startSpans func(service string, config Config, log *slog.Logger) (stop func(ctx context.Context) error, err error)
	// traceRequest begins the span of a request, of which the trace of the request becomes a part.
	traceRequest = func(ctx context.Context, _ *http.Request, _ *request) context.Context { return ctx }
	// traceCall begins the span of a call to another service, which gets the trace of the context.
	traceCall = func(ctx context.Context, _, _ string) (context.Context, func(err error)) { return ctx, func(error) {} }
)

// PathID returns an id of the path.
func PathID(r *http.Request, name string) (uuid.UUID, error) {
	text := r.PathValue(name)
	id, isValid := ParseID(text)
	if !isValid {
		return id, BadRequest("Invalid id: %s", text)
	}
	return id, nil
}

// parameter is a query parameter.
type parameter struct{ name, value string }

// parametersOf reads all query parameters. url.ParseQuery would drop those with a semicolon or a malformed escape.
func parametersOf(r *http.Request) []parameter {
	var parameters []parameter
	query, _, _ := strings.Cut(r.URL.RawQuery, "#")
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		parameters = append(parameters, parameter{unescape(name), unescape(value)})
	}
	return parameters
}

func unescape(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// withPage replaces the page that parameters ask for.
func withPage(parameters []parameter, limit, after string) string {
	page := map[string]string{"limit": limit, "after": after}
	known := map[string]bool{}
	var pairs []string
	for _, each := range append(parameters, parameter{name: "limit"}, parameter{name: "after"}) {
		if !known[each.name] {
			pairs = append(pairs, escape(each.name)+"="+escape(cmp.Or(page[each.name], each.value)))
		}
		known[each.name] = true
	}
	return strings.Join(pairs, "&")
}

// escape writes text as URLSearchParams does.
func escape(text string) string {
	return strings.NewReplacer("%2A", "*", "~", "%7E").Replace(url.QueryEscape(text))
}

// A request with a body up to this size needs hardly more memory than one without.
const smallBodyBytes = 16 * 1024

// Of a body that is too large.
const (
	maxDiscardedBytes = 256 * 1024
	discardTimeout    = time.Second
)

// BodyLimits limits the size of each body, and of all larger bodies that are being read or handled at one time.
type BodyLimits struct {
	maxBytes, maxInFlight int64
	inFlight              atomic.Int64
}

// NewBodyLimits creates the limits that the configuration sets.
func NewBodyLimits(config Config) *BodyLimits {
	return &BodyLimits{maxBytes: int64(config.MaxBodyBytes), maxInFlight: int64(config.MaxBodyBytesInFlight)}
}

// apply limits the body of a request. The function that it returns is called after the request.
func (l *BodyLimits) apply(w http.ResponseWriter, r *http.Request) (func(), error) {
	if r.ContentLength > l.maxBytes {
		// Closing the connection with unread bytes would reset it before the client has the response. Some clients wait
		// for the response before they send more.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(discardTimeout))
		_, _ = io.CopyN(io.Discard, r.Body, maxDiscardedBytes)
		return nil, errTooLarge
	}
	if r.ContentLength >= 0 && r.ContentLength <= smallBodyBytes {
		return func() {}, nil
	}
	body := &limitedBody{ReadCloser: r.Body, limits: l}
	r.Body = body
	return func() { l.inFlight.Add(-body.received) }, nil
}

type limitedBody struct {
	io.ReadCloser
	limits   *BodyLimits
	received int64
}

func (b *limitedBody) Read(buffer []byte) (int, error) {
	count, err := b.ReadCloser.Read(buffer)
	size := int64(count)
	if b.received+size > b.limits.maxBytes {
		return 0, errTooLarge
	}
	total := b.limits.inFlight.Add(size)
	before := b.received
	b.received += size
	// One body is always accepted.
	if total-size > before && total > b.limits.maxInFlight {
		return 0, retryLater("Too many large requests")
	}
	return count, err
}

// More values than any request has.
const maxValues = 50_000

// ReadBody reads a body, which is JSON whatever its content type says.
func ReadBody(r *http.Request) (*Values, error) {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, errUnsupportedEncoding
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		if _, isLimit := err.(*Error); isLimit {
			return nil, err
		}
		return nil, BadRequest("Request aborted")
	}
	if hasTooManyValues(text) {
		return nil, BadRequest("Invalid request body: has too many values")
	}
	values := &Values{}
	if len(text) == 0 {
		return values, nil
	}
	// As a client may send it. encoding/json would not accept the mark, and would replace what is not UTF-8.
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if !utf8.Valid(text) || json.Unmarshal(text, &values.given) != nil || values.given == nil {
		return nil, BadRequest("Invalid request body: must be a JSON object")
	}
	return values, nil
}

// ReadRequest reads what a client sends with a function that reads the members of a body.
func ReadRequest[T any](r *http.Request, read func(body *Values) T) (request T, err error) {
	_, request, err = ReadUpdate(r, read)
	return request, err
}

// ReadUpdate reads the body of a PUT, or of a PATCH: a JSON merge patch (RFC 7396), whose request lacks what it does not
// change.
func ReadUpdate[T any](r *http.Request, read func(body *Values) T) (body *Values, request T, err error) {
	body, err = ReadBody(r)
	if err != nil {
		return nil, request, err
	}
	body.isPatch = r.Method == http.MethodPatch
	request = read(body)
	return body, request, body.Err()
}

// hasTooManyValues tells whether parsing would take long. In valid JSON, at most two strings come after each comma or
// bracket: a key and its value.
func hasTooManyValues(text []byte) bool {
	if len(text) <= maxValues {
		return false
	}
	count, isInString := 0, false
	for index := 0; index < len(text); index++ {
		switch text[index] {
		case '\\':
			index++
		case '"':
			isInString = !isInString
		case ',', '[', '{':
			if !isInString {
				count++
			}
		}
	}
	return count > maxValues
}
