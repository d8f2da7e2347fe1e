package platformtest

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"time"

	embedded "github.com/fergusstrange/embedded-postgres"
)

const (
	// The program of the tests runs itself with this variable, to start a Postgres that ends with the tests.
	cacheVariable = "PLATFORMTEST_POSTGRES_CACHE"
	// With the download of the binaries, which the cache keeps.
	startTimeout  = 2 * time.Minute
	startAttempts = 3
)

func init() {
	if cache := os.Getenv(cacheVariable); cache != "" {
		if err := runPostgres(cache); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// serverURL returns the server on which tests create databases.
var serverURL = sync.OnceValues(func() (string, error) {
	if server := os.Getenv("TEST_DATABASE_URL"); server != "" {
		return server, nil
	}
	return startPostgres()
})

// startPostgres starts the process that runs Postgres, which ends when this one does, because its input ends.
func startPostgres() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	command := exec.Command(program)
	cache, err := prepareAccount(command)
	if err != nil {
		return "", err
	}
	command.Env = append(os.Environ(), cacheVariable+"="+cache)
	var failure bytes.Buffer
	command.Stderr = &failure
	if _, err := command.StdinPipe(); err != nil {
		return "", err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := command.Start(); err != nil {
		return "", err
	}
	timer := time.AfterFunc(startTimeout, func() { _ = command.Process.Kill() })
	defer timer.Stop()
	server, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		_ = command.Wait()
		return "", errors.New(strings.TrimSpace(failure.String()))
	}
	return strings.TrimSpace(server), nil
}

// runPostgres prints the URL of a new Postgres, and stops it when the input ends. One process at a time fills the cache.
func runPostgres(cache string) error {
	// Ctrl-C ends the tests, and Postgres after them.
	signal.Ignore(os.Interrupt)
	directory, err := os.MkdirTemp("", "postgres-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(directory) }()
	password := rand.Text()
	config := embedded.DefaultConfig().
		Password(password).
		CachePath(cache).
		BinariesPath(filepath.Join(cache, string(embedded.V18))).
		RuntimePath(filepath.Join(directory, "run")).
		StartParameters(map[string]string{"fsync": "off"}).
		Logger(io.Discard)
	unlock, err := lock(filepath.Join(cache, "lock"))
	if err != nil {
		return err
	}
	complete := filepath.Join(cache, "complete-"+string(embedded.V18))
	if _, err := os.Stat(complete); err == nil {
		unlock()
	}
	var server *embedded.EmbeddedPostgres
	for attempt := 1; ; attempt++ {
		port, err := freePort()
		if err != nil {
			return err
		}
		config = config.Port(port)
		server = embedded.NewDatabase(config)
		if err := server.Start(); err == nil {
			break
		} else if attempt == startAttempts {
			return err
		}
	}
	_ = os.WriteFile(complete, nil, 0o600)
	unlock()
	fmt.Println(config.GetConnectionURL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	return server.Stop()
}

// freePort returns a port that another program can take before Postgres does.
func freePort() (uint32, error) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	return uint32(listener.Addr().(*net.TCPAddr).Port), nil
}
