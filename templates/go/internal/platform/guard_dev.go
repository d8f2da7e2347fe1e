//go:build portico_dev

package platform

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
)

// `portico dev` builds services with this file. They listen on loopback, where a web page could find them by trying every
// port: only programs on this machine, and pages that it serves, may call them.

func init() {
	origins := strings.Split(os.Getenv("PORTICO_CORS_ORIGINS"), ",")
	guard = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isLocalRequest(r, origins) {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Connection", "close")
			w.WriteHeader(http.StatusForbidden)
		})
	}
}

// A name or address of this machine (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
var localHost = regexp.MustCompile(`(?i)^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|::1)$`)

// isLocalRequest recognizes a page of another site by its Host after DNS rebinding, by its Origin, or by Sec-Fetch-Site.
func isLocalRequest(r *http.Request, origins []string) bool {
	if !isAllowedHost(r.Host) {
		return false
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		if slices.Contains(origins, origin) {
			return true
		}
		address, err := url.Parse(origin)
		if err != nil || address.Scheme != "http" && address.Scheme != "https" || !isAllowedHost(address.Host) {
			return false
		}
	}
	if r.Header.Get("Sec-Fetch-Site") != "cross-site" {
		return true
	}
	isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
	return isRead && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

func isAllowedHost(authority string) bool {
	host, _, err := net.SplitHostPort(authority)
	if err != nil {
		host = strings.Trim(authority, "[]")
	}
	if localHost.MatchString(host) {
		return true
	}
	return slices.ContainsFunc(strings.Split(os.Getenv("PORTICO_ALLOWED_HOSTS"), ","), func(allowed string) bool {
		return host != "" && strings.EqualFold(strings.TrimSpace(allowed), host)
	})
}
