package platform

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

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
		return nil, tooLarge()
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
		return 0, tooLarge()
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
		return nil, unsupportedEncoding()
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
	body, err := ReadBody(r)
	if err != nil {
		return request, err
	}
	request = read(body)
	return request, body.Err()
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
