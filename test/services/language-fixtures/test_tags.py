import json, pytest, urllib.error, urllib.request

def create(orgchat, operation_id, data):
    body = {"operationId": operation_id, "change": {"action": "create-tags", "data": data}}
    request = urllib.request.Request(orgchat.base_url + "/chat/changes", json.dumps(body).encode(),
        {"Authorization": "Bearer " + orgchat.api_key})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code

ID = "6f1c7f6e-53d5-4f3a-9d5b-1d0a3a4c5b6e"

def test_repeats(orgchat):
    orgchat.arm("fail-response", status=500, action="create-tags")
    assert [create(orgchat, ID, {"name": "A", "color": "pink"}) for _ in range(2)] == [500, 200]
    orgchat.verify(action="create-tags", applied=True)

def test_fails(orgchat):
    assert create(orgchat, ID, {"name": "A", "color": "pink"}) == 200
    assert create(orgchat, ID, {"name": "A"}) == 200

@pytest.mark.parametrize("value", ["LONG_NAME", "x" * 300])
def test_long_name(orgchat, value):
    assert create(orgchat, ID, {"name": "A", "color": "pink"}) == 200

def test_drops_its_sandbox(orgchat):
    orgchat.drop()

def test_loses_its_sandbox(orgchat):
    orgchat.drop()
    assert False

def test_loses_its_mock(orgchat):
    # Nothing listens there.
    orgchat.control_url = "http://127.0.0.1:9"
    assert False
