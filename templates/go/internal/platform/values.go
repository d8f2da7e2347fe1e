package platform

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Values are the members of a body. Each method reads one; Err returns what is wrong with them. A map, because fields
// of structs would also match names in another case.
type Values struct {
	given map[string]json.RawMessage
	// Whether they come from the query, in which numbers and booleans are text.
	isQuery bool
	// The names in the query that have been asked for.
	read []string
	// Whether they are those of a patch, which may lack any and has null only where it is a value.
	isPatch bool
	missing []string
	problem error
}

// Err names all members that are missing, otherwise the first that is invalid.
func (v *Values) Err() error {
	if len(v.missing) > 0 {
		return BadRequest("Missing request parameter(s): %s", strings.Join(v.missing, ", "))
	}
	return v.problem
}

// IsPatch tells whether the members are those of a patch, which may lack any.
func (v *Values) IsPatch() bool { return v.isPatch }

// keeps tells whether a patch leaves an attribute as it is.
func (v *Values) keeps(name string) bool {
	_, isGiven := v.given[name]
	return v.isPatch && !isGiven
}

// Keep sets an attribute that a patch leaves as it is to what is stored.
func Keep[T any](v *Values, name string, value *T, stored T) {
	if v.keeps(name) {
		*value = stored
	}
}

// Sent returns the value of an attribute, or nil if a patch leaves it as it is.
func Sent[T any](v *Values, name string, value T) *T {
	if v.keeps(name) {
		return nil
	}
	return &value
}

// SentMaybe is Sent for an attribute that may be NULL.
func SentMaybe[T any](v *Values, name string, value *T) Maybe[T] {
	if v.keeps(name) {
		return Maybe[T]{}
	}
	return Maybe[T]{value, true}
}

// SentData is SentMaybe for data.
func SentData(v *Values, name string, value []byte) Maybe[[]byte] {
	if value == nil {
		return SentMaybe[[]byte](v, name, nil)
	}
	return SentMaybe(v, name, &value)
}

// Has tells whether a member is present. Null counts as missing.
func (v *Values) Has(name string) bool {
	if v.isQuery {
		v.read = append(v.read, name)
	}
	raw, isGiven := v.given[name]
	return isGiven && string(raw) != "null"
}

// Optional reads a member that may be missing.
func Optional[T any](v *Values, name string, read func(v *Values, name string) T) *T {
	if !v.Has(name) {
		return nil
	}
	value := read(v, name)
	return &value
}

// OptionalDefault reads a member that may be null, or takes the default where it is missing.
func OptionalDefault[T any](v *Values, name string, value T, read func(v *Values, name string) T) *T {
	if _, isGiven := v.given[name]; !isGiven && !v.isPatch {
		return &value
	}
	return Optional(v, name, read)
}

// OptionalData reads data that may be missing, which is nil.
func OptionalData(v *Values, name string, high int) []byte {
	if !v.Has(name) {
		return nil
	}
	return v.Data(name, high)
}

// Default reads a member, or takes the default where it is missing.
func Default[T any](v *Values, name string, value T, read func(v *Values, name string) T) T {
	if !v.Has(name) && !v.isPatch {
		return value
	}
	return read(v, name)
}

func (v *Values) require(name string) (json.RawMessage, bool) {
	if v.Has(name) {
		return v.given[name], true
	}
	if !v.isPatch {
		v.missing = append(v.missing, name)
	} else if !v.keeps(name) {
		v.reject(name, "cannot be null")
	}
	return nil, false
}

// scalar returns a number or a boolean in JSON.
func (v *Values) scalar(name string) (raw json.RawMessage, isGiven bool) {
	raw, isGiven = v.require(name)
	var text string
	if isGiven && v.isQuery && json.Unmarshal(raw, &text) == nil && isScalar(text) {
		raw = json.RawMessage(text)
	}
	return raw, isGiven
}

func isScalar(text string) bool {
	return text != "" && text != "null" && !strings.ContainsAny(text, " \t\r\n\"") && json.Valid([]byte(text))
}

// String reads any string.
func (v *Values) String(name string) string {
	text, _, _ := v.text(name, "must be a string")
	return text
}

// Changed reads text after a function has changed it.
func (v *Values) Changed(name string, low, high int, change func(string) string) string {
	raw := v.given[name]
	var text string
	if v.Has(name) && json.Unmarshal(raw, &text) == nil && !hasUnpairedSurrogate(raw) {
		v.given[name] = textOf(change(text))
	}
	return v.Text(name, low, high)
}

// Reject tells what is wrong with a member that is present. The first problem counts.
func (v *Values) Reject(name, problem string) {
	if v.Has(name) {
		v.reject(name, problem)
	}
}

func (v *Values) reject(name, problem string) {
	if v.problem == nil {
		v.problem = InvalidParameter(name, problem)
	}
}

// text reads a string. The problem is that of a value that is none.
func (v *Values) text(name, problem string) (text string, raw json.RawMessage, isValid bool) {
	raw, isGiven := v.require(name)
	if !isGiven {
		return "", nil, false
	}
	if raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		v.reject(name, problem)
		return "", nil, false
	}
	return text, raw, true
}

// Text reads text that Postgres can store. The bounds count code points.
func (v *Values) Text(name string, low, high int) string {
	text, raw, isValid := v.text(name, "must be a string")
	if !isValid {
		return ""
	}
	switch length := utf8.RuneCountInString(text); {
	case strings.Contains(text, "\x00"):
		v.reject(name, "must not contain U+0000")
	case strings.ContainsRune(text, utf8.RuneError) && hasUnpairedSurrogate(raw):
		v.reject(name, "must not contain unpaired surrogates")
	case length < low:
		v.reject(name, "must have at least "+plural(low, "character"))
	case length > high:
		v.reject(name, "must have at most "+plural(high, "character"))
	}
	return text
}

// Pairs of surrogates, others, and all other escapes.
var escapes = regexp.MustCompile(`(?i)\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f]..)|.)`)

// hasUnpairedSurrogate looks at the escapes of a string, because encoding/json replaces unpaired surrogates.
func hasUnpairedSurrogate(raw []byte) bool {
	return slices.ContainsFunc(escapes.FindAllSubmatch(raw, -1), func(escape [][]byte) bool { return escape[1] != nil })
}

// Bool reads a boolean.
func (v *Values) Bool(name string) bool {
	raw, isGiven := v.scalar(name)
	if isGiven && string(raw) != "true" && string(raw) != "false" {
		v.reject(name, "must be true or false")
	}
	return string(raw) == "true"
}

// OneOf reads one of the words of an enum.
func OneOf[Word ~string](v *Values, name string, words ...Word) Word {
	list := make([]string, len(words))
	for index, word := range words {
		list[index] = string(word)
	}
	problem := "must be one of " + strings.Join(list, ", ")
	text, _, isValid := v.text(name, problem)
	if isValid && !slices.Contains(list, text) {
		v.reject(name, problem)
	}
	return Word(text)
}

// Data reads bytes from canonical, padded base64.
func (v *Values) Data(name string, high int) []byte {
	text, _, isValid := v.text(name, "must be a base64 string")
	if !isValid {
		return nil
	}
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	switch {
	// The decoder skips line breaks.
	case err != nil || strings.ContainsAny(text, "\r\n"):
		v.reject(name, "must be padded, canonical base64")
	case len(data) > high:
		v.reject(name, "must have at most "+plural(high, "byte"))
	}
	return data
}

func textOf(text string) json.RawMessage {
	quoted, _ := json.Marshal(text)
	return quoted
}

// Texts reads a list of strings.
func (v *Values) Texts(name string) []string {
	raw, isGiven := v.require(name)
	var texts []string
	if isGiven && json.Unmarshal(raw, &texts) != nil {
		v.reject(name, "must be a list of strings")
	}
	return texts
}

func plural(count int, unit string) string {
	if count != 1 {
		unit += "s"
	}
	return strconv.Itoa(count) + " " + unit
}

// ID reads a UUID of any version.
func (v *Values) ID(name string) uuid.UUID {
	text, _, isGiven := v.text(name, "must be a UUID")
	id, isValid := ParseID(text)
	if isGiven && !isValid {
		v.reject(name, "must be a UUID")
	}
	return id
}

// NewID returns a UUID of version 7. The order of ids is the order of creation.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

const idLength = 36

// ParseID reads a UUID in its usual form. uuid.Parse accepts others too.
func ParseID(text string) (uuid.UUID, bool) {
	if len(text) != idLength {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(text)
	return id, err == nil
}

// Maybe is a value that may be NULL, or absent: what an update leaves as it is, or what a list is not filtered by. Its
// zero value is absent.
type Maybe[T any] struct {
	value     *T
	isPresent bool
}

// Just returns a value that is present.
func Just[T any](value T) Maybe[T] { return Maybe[T]{&value, true} }

// Null returns a value that is NULL.
func Null[T any]() Maybe[T] { return Maybe[T]{nil, true} }

// Value returns the value, which is nil for NULL and where it is absent.
func (m Maybe[T]) Value() *T { return m.value }

// IsPresent tells whether there is a value or NULL.
func (m Maybe[T]) IsPresent() bool { return m.isPresent }

// MarshalJSON writes the value, or null.
func (m Maybe[T]) MarshalJSON() ([]byte, error) { return json.Marshal(m.value) }
