package platform

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// lines collects lines, because one write for each would cost more than everything else about them.
type lines struct {
	mutex  sync.Mutex
	buffer *bufio.Writer
}

const flushInterval = 250 * time.Millisecond

func (l *lines) Write(line []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.buffer.Write(line)
}

func (l *lines) flush() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	_ = l.buffer.Flush()
}

// levelFatal is the level of what ends the service.
const levelFatal = slog.LevelError + 4

// NewLog creates the log of a service: JSON lines with the ids of the request and its trace.
func NewLog(output io.Writer, service string, level slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: rename}
	handler := slog.NewJSONHandler(output, options).WithAttrs([]slog.Attr{slog.String("service", service)})
	return slog.New(requestHandler{handler})
}

// newServiceLog creates a log on standard output, and a function that writes what has been collected.
func newServiceLog(service string, level slog.Leveler) (*slog.Logger, func()) {
	output := &lines{buffer: bufio.NewWriter(os.Stdout)}
	go func() {
		for range time.Tick(flushInterval) {
			output.flush()
		}
	}()
	return NewLog(output, service, level), output.flush
}

func rename(groups []string, attr slog.Attr) slog.Attr {
	if len(groups) > 0 {
		return attr
	}
	switch attr.Key {
	case slog.TimeKey:
		return slog.String("time", attr.Value.Time().UTC().Format("2006-01-02T15:04:05.000Z"))
	case slog.LevelKey:
		if level, _ := attr.Value.Any().(slog.Level); level == levelFatal {
			return slog.String("level", "fatal")
		}
		return slog.String("level", strings.ToLower(attr.Value.String()))
	case slog.MessageKey:
		attr.Key = "message"
	}
	if attr.Value.Kind() != slog.KindAny {
		return attr
	}
	if err, isError := attr.Value.Any().(error); isError {
		return slog.Attr{Key: attr.Key, Value: describe(err)}
	}
	return attr
}

// requestHandler adds the ids of the request that is being handled.
type requestHandler struct{ slog.Handler }

func (h requestHandler) Handle(ctx context.Context, record slog.Record) error {
	if r := requestOf(ctx); r != nil {
		record.AddAttrs(slog.String("requestId", r.id), slog.String("traceId", r.traceID()))
	}
	return h.Handler.Handle(ctx, record)
}

func (h requestHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestHandler{h.Handler.WithAttrs(attrs)}
}

func (h requestHandler) WithGroup(name string) slog.Handler {
	return requestHandler{h.Handler.WithGroup(name)}
}

func errorAttr(err error) slog.Attr { return slog.Any("err", err) }

// typeName is the type of an error, unless it only has a message.
func typeName(err error) string {
	name := fmt.Sprintf("%T", err)
	if strings.HasPrefix(name, "*errors.") || strings.HasPrefix(name, "*fmt.") {
		return "Error"
	}
	return name
}

// describe leaves out messages that quote values of clients: those of Postgres and of JSON.
func describe(err error) slog.Value {
	attrs := []slog.Attr{slog.String("type", typeName(err))}
	if failure, isPostgres := errors.AsType[*pgconn.PgError](err); isPostgres {
		attrs = append(attrs, slog.String("code", failure.Code), slog.String("constraint", failure.ConstraintName),
			slog.String("table", failure.TableName), slog.String("column", failure.ColumnName))
		// Errors of these classes are about connections, names, conflicts and timeouts, so their messages contain no values.
		switch failure.Code[:2] {
		case "08", "28", "3D", "40", "42", "53", "57":
			attrs = append(attrs, slog.String("message", failure.Message))
		}
		return slog.GroupValue(attrs...)
	}
	if _, isSyntax := errors.AsType[*json.SyntaxError](err); !isSyntax {
		attrs = append(attrs, slog.String("message", err.Error()))
	}
	return slog.GroupValue(attrs...)
}
