// A client of the drill's tests: right in some way, or wrong in the one way that its argument names.
package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const maxAttempts = 100
const pause = 50 * time.Millisecond

var mode = os.Args[1]
var state = os.Getenv("ORGCHAT_STATE_DIR")
var client = &http.Client{Timeout: timeout()}
var pace sync.Mutex

func timeout() time.Duration {
	duration, err := time.ParseDuration(os.Getenv("ATTEMPT_TIMEOUT") + "s")
	if err != nil {
		log.Fatal(err)
	}
	return duration
}

type object map[string]any

type answer struct {
	Error    string `json:"error"`
	Applied  bool   `json:"applied"`
	Replayed bool   `json:"replayed"`
	Records  []struct {
		Name string `json:"name"`
	} `json:"records"`
	status int
	wait   time.Duration
}

// post makes one attempt. A status of 0 means that no whole answer came.
func post(path string, body object) answer {
	if mode == "own-pacing" {
		pace.Lock()
		time.Sleep(100 * time.Millisecond)
		pace.Unlock()
	}
	text, err := json.Marshal(body)
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest("POST", os.Getenv("ORGCHAT_BASE_URL")+path, bytes.NewReader(text))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ORGCHAT_API_KEY"))
	response, err := client.Do(request)
	if err != nil {
		return answer{}
	}
	defer response.Body.Close()
	var parsed answer
	if json.NewDecoder(response.Body).Decode(&parsed) != nil {
		return answer{}
	}
	parsed.status = response.StatusCode
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		parsed.wait = time.Duration(seconds) * time.Second
	}
	return parsed
}

// operationID makes a UUID of version 5 from an intent: the same in every process.
func operationID(intent string) string {
	sum := sha1.Sum([]byte(intent))
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[0:4], id[4:6], id[6:8], id[8:10], id[10:16])
}

func exists(name string) bool {
	for {
		found := post("/chat/read", object{"resource": "tags", "limit": 50})
		if found.status != 200 {
			continue
		}
		for _, tag := range found.Records {
			if tag.Name == name {
				return true
			}
		}
		return false
	}
}

func createTag(intent, name string) {
	change := object{"action": "create-tags", "data": object{"name": name, "color": "pink"}}
	generation := 0
	for attempt := 0; attempt < maxAttempts; attempt++ {
		if mode == "reconciles" && exists(name) {
			return
		}
		id := operationID(fmt.Sprintf("%s %d", intent, generation))
		got := post("/chat/changes", object{"operationId": id, "change": change})
		isUncertain := got.Error == "OPERATION_UNCERTAIN"
		switch {
		case got.status == 200 && (got.Applied || got.Replayed):
			return
		case got.status == 200:
			if mode != "reconciles" {
				log.Fatal("not applied")
			}
		case got.status == 0:
			if strings.HasPrefix(mode, "new-id-after-timeout") {
				generation++
			}
		case isUncertain && mode == "takes-409-for-done":
			return
		case isUncertain && mode == "new-id-after-409":
			generation++
		case got.status == 429 && mode == "gives-up-on-429":
			os.Exit(0)
		case got.status >= 500 && mode == "new-id-after-5xx":
			generation++
		case isUncertain || got.status == 429 || got.status >= 500 || got.Error == "RUNTIME_UNAVAILABLE":
		default:
			log.Fatal(got.status, got.Error)
		}
		if got.wait > 0 {
			time.Sleep(got.wait)
		} else {
			time.Sleep(pause)
		}
	}
	log.Fatal("unknown")
}

func addKeywords() {
	mark := filepath.Join(state, "keywords")
	if text, err := os.ReadFile(mark); err == nil {
		if string(text) == "done" {
			return
		}
		log.Fatal("keywords unknown")
	}
	write(mark, []byte("sent"))
	for {
		got := post("/sites/demo-site/keywords", object{"keywords": []string{"spring", "summer"}})
		if got.status == 201 {
			write(mark, []byte("done"))
			return
		}
		if got.status != 429 {
			log.Fatal("keywords unknown")
		}
		time.Sleep(got.wait)
	}
}

func write(name string, text []byte) {
	if err := os.WriteFile(name, text, 0o600); err != nil {
		log.Fatal(err)
	}
}

// createRandomTags keeps the names that it chose in the first process.
func createRandomTags() {
	plan := filepath.Join(state, "plan.json")
	var names []string
	if text, err := os.ReadFile(plan); err != nil || json.Unmarshal(text, &names) != nil {
		for _, kind := range []string{"spring", "summer"} {
			random := make([]byte, 4)
			if _, err := rand.Read(random); err != nil {
				log.Fatal(err)
			}
			names = append(names, fmt.Sprintf("%x %s", random, kind))
		}
		text, _ := json.Marshal(names)
		write(plan, text)
	}
	for _, name := range names {
		createTag("tag "+name, name)
	}
}

func main() {
	switch mode {
	case "random-names":
		createRandomTags()
	case "parallel", "new-id-after-timeout-parallel":
		var all sync.WaitGroup
		for number := 0; number < 2; number++ {
			all.Add(1)
			go func(name string) {
				defer all.Done()
				createTag("tag "+name, name)
			}(fmt.Sprintf("Parallel %d", number))
		}
		all.Wait()
	default:
		createTag("tag A", "A")
		if mode == "right" {
			addKeywords()
		}
	}
}
