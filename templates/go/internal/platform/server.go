// Package platform is what all services share.
package platform

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
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
		Start()
		Handler(source MetricsSource) http.Handler
	}
	// Called when the database is ready. Returns the APIs, of which the second may be nil. The internal port serves both,
	// the first one under `/api`.
	Start func(ctx context.Context, parts Parts) (api, internal http.Handler, err error)
}

// MetricsSource is what metrics are read from.
type MetricsSource struct {
	DB         *DB
	IsUp       func(ctx context.Context) bool
	IsMigrated func(ctx context.Context) bool
}

// Parts are what a service is made of.
type Parts struct {
	Log *slog.Logger
	DB  *DB
	// Registers what runs when the service stops.
	OnStop func(callback Callback)
}

// Transaction runs work in a transaction, which an error rolls back. What is called with its context belongs to it.
// Within a transaction, the work becomes part of it.
func (p Parts) Transaction(ctx context.Context, work func(ctx context.Context) error) error {
	return p.DB.Transaction(ctx, work)
}

// AfterCommit calls a function after the transaction is committed, or immediately outside of a transaction. An error
// is logged.
func (p Parts) AfterCommit(ctx context.Context, callback Callback) {
	p.DB.AfterCommit(ctx, callback)
}

// Run runs a service until SIGTERM or SIGINT. `configure` reads the environment. With the arguments `migrate home`
// it applies the migrations of `home-db` instead, or of the directory in a third argument; `--all` also applies the
// contract files that otherwise wait for the next deployment.
func Run(configure func(*Environment) (Service, error)) {
	var level slog.LevelVar
	envFileErr := loadEnvFile()
	environment := NewEnvironment(os.Getenv)
	service, err := configure(environment)
	if envFileErr != nil {
		err = envFileErr
	}
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
	log, flush := newServiceLog(service.Name, &level)
	if err == nil {
		err = level.UnmarshalText([]byte(service.Config.LogLevel))
	}
	if err == nil {
		err = service.run(log, flush)
	}
	if err != nil {
		log.Log(context.Background(), levelFatal, "Could not start", errorAttr(err))
	}
	flush()
	if err != nil {
		os.Exit(1)
	}
}

// usageError is a sentence for who runs a command.
type usageError string

func (e usageError) Error() string { return string(e) }

// command runs `migrate` and, for images, which have no shell, `health`.
func command(config Config, arguments []string) error {
	if arguments[0] == "health" {
		response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/health/ready", config.InternalPort))
		if err == nil && response.StatusCode != http.StatusOK {
			err = errors.New(response.Status)
		}
		return err
	}
	all := slices.Contains(arguments, "--all")
	arguments = slices.DeleteFunc(arguments, func(each string) bool { return each == "--all" })
	if arguments[0] != "migrate" || len(arguments) < 2 || len(arguments) > 3 {
		return usageError("Missing service. Usage: migrate <service> [<service>-db] [--all]")
	}
	database := arguments[1] + "-db"
	if len(arguments) == 3 {
		database = arguments[2]
	}
	options, err := connConfig(config)
	if err != nil {
		return err
	}
	report := func(text string) { fmt.Println(text) }
	directory := filepath.Join(database, "migrations")
	return migrate.Apply(context.Background(), options, directory, migrate.Options{All: all, OnProgress: report})
}

const (
	starting int32 = iota
	serving
	stopping
)

func (s *Service) run(log *slog.Logger, flush func()) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	config := s.Config
	unsent.maxBytes = config.MaxUnsentBytes
	unsent.onSlow = func(bytes int) {
		log.Warn("Closed the connection of a slow client", slog.Int("bytes", bytes))
	}
	if s.Metrics != nil {
		s.Metrics.Start()
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
	var state atomic.Int32
	var internal atomic.Pointer[http.Handler]
	// Not a ServeMux, which redirects some paths.
	health := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
		switch {
		case isRead && r.URL.Path == "/health/live":
			writeStatus(w, true, "live")
			return
		case isRead && r.URL.Path == "/health/ready":
			writeStatus(w, state.Load() == serving && probe.findProblem(r.Context()) == nil, "ready")
			return
		}
		if handler := internal.Load(); handler != nil {
			(*handler).ServeHTTP(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		ErrorNames{}.respond(w, r, log, retryLater(notServing))
	})
	internalServer, err := listen(health, config, config.InternalPort, log)
	if err != nil {
		return err
	}
	servers := []*server{internalServer}
	attrs := []any{slog.Int("internalPort", internalServer.port)}
	if s.Metrics != nil {
		metrics := http.NewServeMux()
		metrics.Handle("GET /metrics", s.Metrics.Handler(MetricsSource{
			DB:         db,
			IsUp:       probe.isUp,
			IsMigrated: func(ctx context.Context) bool { return probe.findProblem(ctx) == nil },
		}))
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
	onStop := func(callback Callback) { callbacks = append(callbacks, callback) }
	api, own, err := s.Start(ctx, Parts{Log: log, DB: db, OnStop: onStop})
	if ctx.Err() != nil {
		// A service that is still starting has nothing to finish.
		return nil
	}
	if err != nil {
		return err
	}
	apiServer, err := listen(api, config, config.Port, log)
	if err != nil {
		return err
	}
	internal.Store(new(withAPI(api, own)))
	state.Store(serving)
	log.Info("ready", append([]any{slog.Int("port", apiServer.port)}, attrs...)...)
	flush()
	<-ctx.Done()

	// Others keep calling until they have noticed.
	state.Store(stopping)
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
	probe.close()
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
			log.Info("Waiting for the database and its migrations", errorAttr(problem))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollInterval):
		}
	}
	return nil
}

// withAPI serves an API under `/api`, and what only other services call, if there is anything.
func withAPI(api, own http.Handler) http.Handler {
	stripped := http.StripPrefix("/api", api)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			stripped.ServeHTTP(w, r)
			return
		}
		if own == nil {
			_ = JSON(w, http.StatusNotFound, errorBody{"Not found"})
			return
		}
		own.ServeHTTP(w, r)
	})
}

func writeStatus(w http.ResponseWriter, is bool, word string) {
	status := http.StatusOK
	if !is {
		status, word = http.StatusServiceUnavailable, "not "+word
	}
	_ = JSON(w, status, map[string]string{"status": word})
}
