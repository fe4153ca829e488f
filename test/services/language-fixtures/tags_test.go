package tags

import (
	"bytes"
	"net/http"
	"os"
	"testing"

	"example.com/tags/internal/orgchatmock"
)

func create(t *testing.T, mock *orgchatmock.Mock, data string) int {
	body := `{"operationId": "6f1c7f6e-53d5-4f3a-9d5b-1d0a3a4c5b6e", "change": {"action": "create-tags", "data": ` + data + `}}`
	request, _ := http.NewRequest("POST", mock.BaseURL+"/chat/changes", bytes.NewReader([]byte(body)))
	request.Header.Set("Authorization", "Bearer "+mock.APIKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

const valid = `{"name": "A", "color": "pink"}`

func TestRepeats(t *testing.T) {
	t.Parallel()
	mock := orgchatmock.New(t)
	mock.Arm(orgchatmock.JSON{"effect": "fail-response", "status": 500, "action": "create-tags"})
	if first, second := create(t, mock, valid), create(t, mock, valid); first != 500 || second != 200 {
		t.Fatal(first, second)
	}
	mock.Verify(orgchatmock.JSON{"action": "create-tags", "applied": true, "times": 1})
}

func TestFails(t *testing.T) {
	t.Parallel()
	mock := orgchatmock.New(t)
	if status := create(t, mock, valid); status != 200 {
		t.Fatal(status)
	}
	if status := create(t, mock, `{"name": "A"}`); status != 200 {
		t.Fatal(status)
	}
}

func TestLongName(t *testing.T) {
	t.Run("LONG_NAME", func(t *testing.T) {
		create(t, orgchatmock.New(t), valid)
	})
}

func drop(mock *orgchatmock.Mock) {
	request, _ := http.NewRequest("DELETE", os.Getenv("ORGCHAT_MOCK_URL")+"/sandboxes/"+mock.ID, nil)
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		response.Body.Close()
	}
}

func TestDropsItsSandbox(t *testing.T) {
	drop(orgchatmock.New(t))
}

func TestLosesItsSandbox(t *testing.T) {
	drop(orgchatmock.New(t))
	t.Fail()
}
