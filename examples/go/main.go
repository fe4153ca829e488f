// A client in Go that creates tags, each once, whenever it is killed.
// It needs only Go's standard library: go run main.go
package main

import (
	"bytes"
	"crypto/sha1"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

const maxAttempts = 6

var client = &http.Client{Timeout: attemptTimeout()}

func attemptTimeout() time.Duration {
	if seconds, err := time.ParseDuration(os.Getenv("ATTEMPT_TIMEOUT") + "s"); err == nil {
		return seconds
	}
	return 10 * time.Second
}

// operationID makes a UUID of version 5 from an intent: the same in every process.
func operationID(intent string) string {
	sum := sha1.Sum([]byte("https://example.com/orgchat/" + intent))
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[0:4], id[4:6], id[6:8], id[8:10], id[10:16])
}

type answer struct {
	Error    string `json:"error"`
	Message  string `json:"message"`
	Applied  bool   `json:"applied"`
	Replayed bool   `json:"replayed"`
}

// send makes one attempt. An error means that no whole answer came, so the outcome is unknown.
func send(body []byte) (int, answer, error) {
	request, err := http.NewRequest("POST", os.Getenv("ORGCHAT_BASE_URL")+"/chat/changes", bytes.NewReader(body))
	if err != nil {
		return 0, answer{}, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ORGCHAT_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return 0, answer{}, err
	}
	defer response.Body.Close()
	var parsed answer
	err = json.NewDecoder(response.Body).Decode(&parsed)
	return response.StatusCode, parsed, err
}

// change applies a change once: every attempt sends the same bytes under the same operationId.
func change(intent string, change map[string]any) error {
	body, err := json.Marshal(map[string]any{"operationId": operationID(intent), "change": change})
	if err != nil {
		return err
	}
	problem := errors.New("no attempt")
	for attempt := 0; attempt < maxAttempts; attempt++ {
		if attempt > 0 {
			time.Sleep(50 * time.Millisecond << attempt)
		}
		status, parsed, err := send(body)
		switch {
		case err != nil:
			problem = err
		case status == 200 && !parsed.Applied && !parsed.Replayed:
			return errors.New("the change was not applied")
		case status == 200:
			return nil
		// An uncertain operation is not a conflict: only the same operationId can settle it. An outage can be a 404.
		case status == 429 || status >= 500 || parsed.Error == "OPERATION_UNCERTAIN" || parsed.Error == "RUNTIME_UNAVAILABLE":
			problem = errors.New(parsed.Error)
		default:
			return fmt.Errorf("%d %s: %s", status, parsed.Error, parsed.Message)
		}
	}
	return fmt.Errorf("the outcome is unknown: %w", problem)
}

func main() {
	tags := []struct{ name, color string }{{"Spring campaign", "pink"}, {"Summer campaign", "blue"}}
	for _, tag := range tags {
		data := map[string]any{"name": tag.name, "color": tag.color}
		err := change("campaign tag "+tag.name, map[string]any{"action": "create-tags", "data": data})
		if err != nil {
			log.Fatal(err)
		}
	}
}
