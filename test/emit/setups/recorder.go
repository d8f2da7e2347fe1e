package platform

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"time"
)

// Reports each request to the test before its response.
func init() {
	responseListeners = append(responseListeners, func(r *http.Request, _ int, _ time.Duration) {
		fields := [][2]string{{"host", r.Host}}
		for name, values := range r.Header {
			for _, value := range values {
				fields = append(fields, [2]string{name, value})
			}
		}
		body, err := json.Marshal(map[string]any{"method": r.Method, "url": r.RequestURI, "fields": fields})
		if err != nil {
			panic(err)
		}
		response, err := http.Post(os.Getenv("RECORDER_URL"), "application/json", bytes.NewReader(body))
		if err != nil {
			panic(err)
		}
		_ = response.Body.Close()
	})
}
