// Package platform is what all services share.
package platform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"example.com/project/internal/migrate"
)

// Service is what Run runs.
type Service struct {
	// Its name in the log.
	Name       string
	SchemaHash string
	Config     Config
	// Starts before the database is connected, and then serves on a port of its own. nil without metrics.
	Metrics interface {
		start()
		handler(db *DB, probe *probe) http.Handler
	}
	// Called when the database is ready. The internal port also serves the API, under `/api`.
	Start func(ctx context.Context, parts Parts) (*API, error)
}

// Parts are what a service is made of.
type Parts struct {
	*DB
	Log *slog.Logger
	// Registers what runs when the service stops.
	OnStop func(callback Callback)
}

// Run runs a service until SIGTERM or SIGINT. `configure` reads the environment. With the arguments `migrate home`
// it applies the migrations of `home-db` instead, or of the directory in a third argument; `--all` also applies the
// contract files that otherwise wait for the next deployment.
func Run(configure func(*Environment) (Service, error)) {
	unread := loadEnvFile()
	service, err := configure(NewEnvironment(os.Getenv))
	err = cmp.Or(unread, err)
	if len(os.Args) > 1 {
		if err == nil {
			err = command(service.Config, os.Args[1:])
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	log, flush := newServiceLog(service.Name, service.Config.LogLevel)
	if err == nil {
		err = service.run(log, flush)
	}
	if err != nil {
		log.Log(context.Background(), levelFatal, "Could not start", errorAttr(err))
		flush()
		os.Exit(1)
	}
	flush()
}

// command runs `migrate` and, for images, which have no shell, `health`.
func command(config Config, arguments []string) error {
	if arguments[0] == "health" {
		response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/health/ready", config.InternalPort))
		if err == nil && response.StatusCode != http.StatusOK {
			err = errors.New(response.Status)
		}
		return err
	}
	options, err := configured(config.direct())
	if err != nil {
		return err
	}
	return migrate.Command(context.Background(), options.ConnConfig, arguments, config.roleSettings())
}

func (s *Service) run(log *slog.Logger, flush func()) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	config := s.Config
	unsent.maxBytes = config.MaxUnsentBytes
	unsent.onSlow = func(bytes int) {
		log.Warn("Closed the connection of a slow client", slog.Int("bytes", bytes))
	}
	if s.Metrics != nil {
		s.Metrics.start()
	}
	stopSpans := func(context.Context) error { return nil }
	switch {
	case config.CollectorURL == "":
	case startSpans == nil:
		log.Warn(collectorVariable + " has no effect: this service was built without the tag otel")
	default:
		var err error
		if stopSpans, err = startSpans(s.Name, config, log); err != nil {
			return err
		}
	}
	db, err := Connect(ctx, config, log)
	if err != nil {
		return err
	}
	probe, err := newProbe(config, s.SchemaHash)
	if err != nil {
		return err
	}
	internal := &internalAPI{probe: probe}
	internalServer, err := listen(internal, config, config.InternalPort, log)
	if err != nil {
		return err
	}
	servers := []*server{internalServer}
	attrs := []any{slog.Int("internalPort", internalServer.port)}
	if s.Metrics != nil {
		metrics := http.NewServeMux()
		metrics.Handle("GET /metrics", s.Metrics.handler(db, probe))
		metricsServer, err := listen(metrics, config, config.MetricsPort, log)
		if err != nil {
			return err
		}
		servers = append(servers, metricsServer)
		attrs = append(attrs, slog.Int("metricsPort", metricsServer.port))
	}
	if err := waitUntilReady(ctx, probe, log); err != nil {
		// A service that is still starting has nothing to finish.
		return nil
	}
	var callbacks []Callback
	parts := Parts{Log: log, DB: db, OnStop: func(callback Callback) { callbacks = append(callbacks, callback) }}
	api, err := s.Start(ctx, parts)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	apiServer, err := listen(api, config, config.Port, log)
	if err != nil {
		return err
	}
	internal.api.Store(api)
	internal.isServing.Store(true)
	log.Info("ready", append([]any{slog.Int("port", apiServer.port)}, attrs...)...)
	flush()
	<-ctx.Done()

	// Others keep calling until they have noticed.
	internal.isServing.Store(false)
	log.Info("stopping")
	time.Sleep(config.Drain)
	var group sync.WaitGroup
	for _, server := range append(servers, apiServer) {
		group.Go(func() { server.stop(config) })
	}
	group.Wait()
	closing, cancelClosing := context.WithTimeout(context.Background(), config.ShutdownTimeout)
	defer cancelClosing()
	for _, callback := range callbacks {
		if err := protected(closing, callback); err != nil {
			log.Error("A function registered with OnStop failed", errorAttr(err))
		}
	}
	db.Close()
	probe.pool.Close()
	if err := stopSpans(closing); err != nil {
		log.Warn("Could not send traces", errorAttr(err))
	}
	log.Info("stopped")
	return nil
}

// protected runs what the user has registered. A panic is an error, without its value, which may hold data of clients.
func protected(ctx context.Context, callback Callback) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %T", cause)
		}
	}()
	return callback(ctx)
}

// waitUntilReady waits for the database and its migrations.
func waitUntilReady(ctx context.Context, probe *probe, log *slog.Logger) error {
	reported := map[string]bool{}
	for problem := probe.findProblem(ctx); problem != nil; problem = probe.findProblem(ctx) {
		// Another reason may remain when the first has gone.
		if reason := problem.Error(); !reported[reason] && ctx.Err() == nil {
			reported[reason] = true
			log.Info("Waiting for the database and its migrations"+migrate.PoolerAdvice(problem), errorAttr(problem))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollInterval):
		}
	}
	return nil
}

// internalAPI is what the internal port serves. Not a ServeMux, which redirects some paths.
type internalAPI struct {
	probe *probe
	// nil until it is ready.
	api atomic.Pointer[API]
	// Whether the service is ready and not stopping.
	isServing atomic.Bool
}

func (i *internalAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	api, isRead := i.api.Load(), r.Method == http.MethodGet || r.Method == http.MethodHead
	switch path := r.URL.Path; {
	case isRead && path == "/health/live":
		_ = JSON(w, http.StatusOK, map[string]string{"status": "live"})
	case isRead && path == "/health/ready" && i.isServing.Load() && i.probe.findProblem(r.Context()) == nil:
		_ = JSON(w, http.StatusOK, map[string]string{"status": "ready"})
	case isRead && path == "/health/ready":
		_ = JSON(w, http.StatusServiceUnavailable, map[string]string{"status": "not ready"})
	case api == nil:
		w.Header().Set("Cache-Control", "no-store")
		retryLater(notServing).respond(w)
	case strings.HasPrefix(path, "/api/"):
		http.StripPrefix("/api", api).ServeHTTP(w, r)
	case api.Internal != nil:
		api.Internal.ServeHTTP(w, r)
	default:
		_ = JSON(w, http.StatusNotFound, errorBody{"Not found"})
	}
}

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
