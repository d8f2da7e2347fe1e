//go:build darwin || linux

package platformtest

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// What root keeps the binaries of Postgres in, because other accounts cannot reach its own directories.
const rootCache = "/var/cache/embedded-postgres"

// prepareAccount returns the directory that keeps the binaries of Postgres. Postgres refuses to run as root, for whom it
// lets the command run as `postgres` or `nobody`.
func prepareAccount(command *exec.Cmd) (string, error) {
	if os.Geteuid() != 0 {
		cache, err := os.UserCacheDir()
		return filepath.Join(cache, "embedded-postgres"), err
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		account, err = user.Lookup("nobody")
	}
	if err != nil {
		return "", err
	}
	uid, err := strconv.Atoi(account.Uid)
	if err != nil {
		return "", err
	}
	gid, err := strconv.Atoi(account.Gid)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(rootCache, 0o755); err != nil {
		return "", err
	}
	if err := os.Chown(rootCache, uid, gid); err != nil {
		return "", err
	}
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	command.Dir = "/"
	// The account may not reach the directory of this program.
	if _, err := os.Stat("/proc/self/exe"); err == nil {
		command.Path = "/proc/self/exe"
	}
	return rootCache, nil
}

// lock waits until no other process holds a lock. Several calls of unlock do what one does.
func lock(path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return func() { _ = file.Close() }, syscall.Flock(int(file.Fd()), syscall.LOCK_EX)
}
