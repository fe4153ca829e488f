// A client of the control API in Go. It reads the calls from the OpenAPI 3.0.3 document that the mock serves, makes each
// of them, and checks every request against the document with kin-openapi. Answers are checked by the tests in TypeScript:
// this version of the library refuses null where a schema allows any value.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

func check(err error, what string) {
	if err != nil {
		fmt.Fprintln(os.Stderr, what+":", err)
		os.Exit(1)
	}
}

func load(url string) *openapi3.T {
	response, err := http.Get(url)
	check(err, url)
	text, err := io.ReadAll(response.Body)
	check(err, url)
	document, err := openapi3.NewLoader().LoadFromData(text)
	check(err, "load "+url)
	check(document.Validate(context.Background()), "validate "+url)
	return document
}

func main() {
	root := os.Args[1]
	load(root + "/openapi-3.0.yaml")
	document := load(root + "/_mock/openapi-3.0.yaml")
	document.Servers = openapi3.Servers{{URL: root + "/_mock"}}
	router, err := gorillamux.NewRouter(document)
	check(err, "router")

	// A mock on loopback requires no token.
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
	send := func(method, path string, body interface{}) map[string]interface{} {
		var text []byte
		if body != nil {
			text, err = json.Marshal(body)
			check(err, path)
		}
		request, err := http.NewRequest(method, root+"/_mock"+path, bytes.NewReader(text))
		check(err, path)
		if body != nil {
			request.Header.Set("Content-Type", "application/json")
		}
		route, parameters, err := router.FindRoute(request)
		check(err, "find "+path)
		input := &openapi3filter.RequestValidationInput{Request: request, PathParams: parameters, Route: route, Options: options}
		check(openapi3filter.ValidateRequest(context.Background(), input), "request "+method+" "+path)
		// The check adds defaults to the body; the mock gets the body as it was.
		sent, err := http.NewRequest(method, root+"/_mock"+path, bytes.NewReader(text))
		check(err, path)
		response, err := http.DefaultClient.Do(sent)
		check(err, path)
		if path == "/events" {
			// This stream has no end; its first line is enough.
			first, err := bufio.NewReader(response.Body).ReadString('\n')
			check(err, path)
			if response.StatusCode != 200 || !strings.HasPrefix(first, "retry:") {
				check(fmt.Errorf("%d %s", response.StatusCode, first), path)
			}
			check(response.Body.Close(), path)
			return nil
		}
		answer, err := io.ReadAll(response.Body)
		check(err, path)
		if response.StatusCode >= 300 {
			check(fmt.Errorf("%d %s", response.StatusCode, answer), method+" "+path)
		}
		if !strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
			return nil
		}
		var value map[string]interface{}
		check(json.Unmarshal(answer, &value), path)
		return value
	}

	// The ids that paths need are those of what was made just before.
	state := send("GET", "/state", nil)
	organization := state["organizations"].([]interface{})[0].(map[string]interface{})
	tag := organization["tags"].([]interface{})[0].(map[string]interface{})["id"]
	parameter := func(path string) string {
		switch {
		case strings.HasPrefix(path, "/faults/"):
			// This version of the library fills the defaults of each variant into the body before it checks the next.
			return send("POST", "/faults", map[string]string{"effect": "drop-request", "action": "create-tags"})["id"].(string)
		case strings.HasPrefix(path, "/sandboxes/"):
			return send("POST", "/sandboxes", map[string]string{"name": "go"})["id"].(string)
		case strings.HasPrefix(path, "/requests/"):
			// It succeeds: the verification below expects that no request is answered 401.
			request, err := http.NewRequest("GET", root+"/api/v1/me", nil)
			check(err, "me")
			request.Header.Set("Authorization", "Bearer demo-write-key")
			_, err = http.DefaultClient.Do(request)
			check(err, "me")
			entries := send("GET", "/requests?limit=1", nil)["requests"].([]interface{})
			return entries[0].(map[string]interface{})["requestId"].(string)
		case strings.HasPrefix(path, "/sites/"):
			return "demo-site"
		}
		return "demo-read-key"
	}

	// A request that changes something while history is on: only before such a request there is a state to go back to.
	change := func() string {
		send("POST", "/reset", nil)
		send("PATCH", "/limits", map[string]int{"history": 10})
		text := `{"operationId": "7d0e8f0a-3f5b-4f4e-9d53-0a4c6a1f7c11", "change": {"action": "create-tags", "data": {"name": "Go", "color": "pink"}}}`
		request, err := http.NewRequest("POST", root+"/api/v1/chat/changes", strings.NewReader(text))
		check(err, "change")
		request.Header.Set("Authorization", "Bearer demo-write-key")
		response, err := http.DefaultClient.Do(request)
		check(err, "change")
		return response.Header.Get("X-Request-Id")
	}

	// Names of the demo stand for ids.
	parents := strings.NewReplacer("{accountId}", "shop", "{userId}", "aiko", "{formId}", "survey",
		"{linkId}", "spring-page", "{projectId}", "website")
	var made []string
	for path, item := range document.Paths {
		for method, operation := range item.Operations() {
			concrete := parents.Replace(path)
			if start := strings.Index(concrete, "{"); start >= 0 {
				end := strings.Index(concrete, "}")
				concrete = concrete[:start] + parameter(path) + concrete[end+1:]
			}
			var body interface{}
			if operation.RequestBody != nil {
				body = operation.RequestBody.Value.Content["application/json"].Examples["example"].Value.Value
			}
			switch operation.OperationID {
			case "listRecords":
				concrete += "?resource=friends"
			case "replaceState":
				body = state
			case "rewindMock":
				body.(map[string]interface{})["requestId"] = change()
			case "editRecord":
				body.(map[string]interface{})["id"] = tag
			}
			send(method, concrete, body)
			made = append(made, operation.OperationID)
		}
	}
	sort.Strings(made)
	fmt.Println(strings.Join(made, " "))
}
