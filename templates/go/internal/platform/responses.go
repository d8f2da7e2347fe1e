package platform

import (
	"bytes"
	"container/list"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
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
		plain := withSeparators(buffer.Bytes())
		buffer.Reset()
		buffer.Write(plain)
	}
	return nil
}

// withSeparators replaces the escapes of U+2028 and U+2029, which encoding/json always writes.
func withSeparators(text []byte) []byte {
	plain := make([]byte, 0, len(text))
	for len(text) > 0 {
		switch {
		case bytes.HasPrefix(text, []byte(`\u2028`)):
			plain, text = append(plain, "\u2028"...), text[6:]
		case bytes.HasPrefix(text, []byte(`\u2029`)):
			plain, text = append(plain, "\u2029"...), text[6:]
		case text[0] == '\\' && len(text) > 1:
			plain, text = append(plain, text[:2]...), text[2:]
		default:
			plain, text = append(plain, text[0]), text[1:]
		}
	}
	return plain
}

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
