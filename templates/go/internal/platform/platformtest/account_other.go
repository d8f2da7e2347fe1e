//go:build !darwin && !linux

package platformtest

import (
	"os"
	"os/exec"
	"path/filepath"
)

// prepareAccount returns the directory that keeps the binaries of Postgres.
func prepareAccount(*exec.Cmd) (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "embedded-postgres"), err
}

func lock(string) (unlock func(), err error) { return func() {}, nil }
