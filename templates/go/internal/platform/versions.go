package platform

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	// What If-Match and If-None-Match consist of (RFC 9110, section 8.8.3).
	entityTag = regexp.MustCompile(`(?:W/)?"[^"]*"|[^\s,]+`)
	// The tags of versions. No other one is a number.
	versionTag = regexp.MustCompile(`^"([1-9]\d{0,14})"$`)
)

// versionsOf returns the versions of tags, with 0 for other tags. No entity has version 0.
func versionsOf(tags []string) []int64 {
	versions := []int64{0}
	for _, tag := range tags {
		if parts := versionTag.FindStringSubmatch(tag); parts != nil {
			version, _ := strconv.ParseInt(parts[1], 10, 64)
			versions = append(versions, version)
		}
	}
	return versions
}

// tagsOf reads a header. isAny tells whether it is `*`.
func tagsOf(r *http.Request, name string) (tags []string, isAny bool) {
	text := strings.Join(r.Header.Values(name), ", ")
	return entityTag.FindAllString(text, -1), strings.TrimSpace(text) == "*"
}

// IfMatch returns the versions that a request accepts; none for any. Weak tags match nothing.
func IfMatch(r *http.Request) []int64 {
	tags, isAny := tagsOf(r, "If-Match")
	if isAny || len(r.Header.Values("If-Match")) == 0 {
		return nil
	}
	return versionsOf(tags)
}

// RequireMatch returns the versions that a request accepts, and 428 without If-Match.
func RequireMatch(r *http.Request) ([]int64, error) {
	if len(r.Header.Values("If-Match")) == 0 {
		return nil, &Error{Status: http.StatusPreconditionRequired, Message: "If-Match is required"}
	}
	return IfMatch(r), nil
}

// SetVersion sets the header of a response with the version.
func SetVersion(w http.ResponseWriter, version int64) {
	w.Header().Set("ETag", fmt.Sprintf(`"%d"`, version))
}

// NotModified sets the header with the version, and responds with 304 if If-None-Match contains it. Weak tags match, too.
func NotModified(w http.ResponseWriter, r *http.Request, version int64) bool {
	SetVersion(w, version)
	tags, isAny := tagsOf(r, "If-None-Match")
	for index, tag := range tags {
		tags[index] = strings.TrimPrefix(tag, "W/")
	}
	if !isAny && !slices.Contains(versionsOf(tags), version) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// HasVersion returns ErrNotFound for a version that is not one of those that are accepted.
func HasVersion(version int64, accepted []int64) error {
	if len(accepted) > 0 && !slices.Contains(accepted, version) {
		return ErrNotFound
	}
	return nil
}

// Changed is the error for an entity that exists, but does not have one of the versions that are accepted.
func Changed(entity string, accepted []int64) error {
	if len(accepted) == 0 {
		return nil
	}
	return &Error{Status: http.StatusPreconditionFailed, Message: entity + " has changed"}
}

// Version is the version of what another service has returned. What a list contains has none.
type Version struct{ tag string }

func (v *Version) receive(header http.Header) { v.tag = header.Get("ETag") }

// setHeader makes the version a condition of a request.
func (v Version) setHeader(header http.Header) error {
	if v.tag == "" {
		return errors.New("the version of the entity is unknown, because it was not read")
	}
	header.Set("If-Match", v.tag)
	return nil
}
