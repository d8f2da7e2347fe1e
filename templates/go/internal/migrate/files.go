// Package migrate applies the SQL files of a database.
package migrate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// file is a file with SQL that changes the schema.
type file struct {
	// `0001_initial`
	name string
	path string
	// With LF as the end of lines, because version control may convert it.
	sql string
	// SHA-256 of `sql`.
	hash string
	// The state that it starts from, `none` for an empty database, and the one that it leads to: see Supports.
	from, to      string
	inTransaction bool
}

var (
	fileName = regexp.MustCompile(`^\d{4,}_.+\.sql$`)
	// The comments at the start of a file.
	header        = regexp.MustCompile(`^(?:--[^\n]*\n|\n)*`)
	states        = regexp.MustCompile(`(?m)^-- schema: (none|[0-9a-f]{64}(?:[-~]\d+)?!?) -> ([0-9a-f]{64}(?:[-~]\d+)?!?)\n`)
	noTransaction = regexp.MustCompile(`(?m)^-- no transaction\n`)
)

// readFiles reads the migrations of a directory in the order of their numbers.
func readFiles(directory string) ([]file, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, entry := range entries {
		if !fileName.MatchString(entry.Name()) {
			continue
		}
		read, err := readFile(filepath.Join(directory, entry.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, read)
	}
	if len(files) == 0 {
		return nil, errorf("%s contains no migrations", directory)
	}
	slices.SortStableFunc(files, func(a, b file) int { return numberOf(a.name) - numberOf(b.name) })
	return files, nil
}

func readFile(path string) (file, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return file{}, err
	}
	sql := strings.ToValidUTF8(string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), "\uFFFD")
	comments := header.FindString(sql + "\n")
	match := states.FindStringSubmatch(comments)
	if match == nil {
		return file{}, errorf("%s has no line `-- schema: <state> -> <state>`", path)
	}
	sum := sha256.Sum256([]byte(sql))
	return file{
		name:          strings.TrimSuffix(filepath.Base(path), ".sql"),
		path:          path,
		sql:           sql,
		hash:          hex.EncodeToString(sum[:]),
		from:          match[1],
		to:            match[2],
		inTransaction: !noTransaction.MatchString(comments),
	}, nil
}

// isContract tells whether a migration runs after the code before it has ended.
func (f file) isContract() bool { return strings.HasSuffix(f.name, ".contract") }

func numberOf(name string) int {
	digits, _, _ := strings.Cut(name, "_")
	number, _ := strconv.Atoi(digits)
	return number
}

// Applied is a migration that a database has, and the state that it has led to.
type Applied struct{ Name, Hash, Schema string }

var (
	stateSuffix = regexp.MustCompile(`[-~!].*$`)
	isHalfway   = regexp.MustCompile(`-\d`)
)

// schemaOf returns the hash of the schema that a state is or leads to.
func schemaOf(state string) string { return stateSuffix.ReplaceAllString(state, "") }

// Supports tells whether code of a schema can work with a database. A state is the hash of a schema, `-2` if two more
// files come before its code can start, `~1` if one file comes after that, `!` if code of the schema before can no
// longer work.
func Supports(applied []Applied, hash string) bool {
	applied = slices.Clone(applied)
	slices.SortStableFunc(applied, func(a, b Applied) int { return numberOf(b.Name) - numberOf(a.Name) })
	for _, each := range applied {
		if schemaOf(each.Schema) == hash && !isHalfway.MatchString(each.Schema) {
			return true
		}
		if strings.HasSuffix(each.Schema, "!") {
			return false
		}
	}
	return false
}
