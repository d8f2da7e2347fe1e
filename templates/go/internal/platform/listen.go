package platform

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	pollInterval = 100 * time.Millisecond
	// Wider than the gateway's, which closes idle connections first, responds better, and adds a copy of the path.
	keepAliveTimeout = 75 * time.Second
	readTimeout      = 310 * time.Second
	maxHeaderBytes   = 32 * 1024
)

// guard comes before everything else. Set by `portico dev`, whose builds have a file that does it.
var guard = func(next http.Handler) http.Handler { return next }

// server serves until clients have noticed that it stops, then finishes open requests.
type server struct {
	http.Server
	listener    net.Listener
	port        int
	connections atomic.Int64
	isStopping  atomic.Bool
}

func listen(handler http.Handler, config Config, port int, log *slog.Logger) (*server, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(config.Host, strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("could not listen: %w", err)
	}
	s := &server{listener: listener, port: listener.Addr().(*net.TCPAddr).Port}
	s.Handler = guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.isStopping.Load() {
			w.Header().Set("Connection", "close")
		}
		handler.ServeHTTP(w, r)
	}))
	s.ReadTimeout = readTimeout
	s.IdleTimeout = keepAliveTimeout
	s.MaxHeaderBytes = maxHeaderBytes
	// `OPTIONS *` is not a route either.
	s.DisableGeneralOptionsHandler = true
	// Its messages may contain data of clients.
	s.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	s.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			s.connections.Add(1)
		case http.StateClosed, http.StateHijacked:
			s.connections.Add(-1)
		}
	}
	go func() {
		if err := s.Serve(listener); !s.isStopping.Load() {
			log.Error("Server failed", errorAttr(err))
			os.Exit(1)
		}
	}()
	return s, nil
}

func (s *server) stop(config Config) {
	s.isStopping.Store(true)
	_ = s.listener.Close()
	// Closing idle connections would reset those on which a request is about to arrive. The gateway closes them first.
	for end := time.Now().Add(config.Drain); s.connections.Load() > 0 && time.Now().Before(end); {
		time.Sleep(pollInterval)
	}
	ctx, cancel := context.WithTimeout(context.Background(), config.ShutdownTimeout)
	defer cancel()
	if s.Shutdown(ctx) != nil {
		_ = s.Close()
	}
}
