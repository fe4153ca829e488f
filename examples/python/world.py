"""A world of its own in one running mock server: data, clock, limits, faults and request log that nobody else sees."""

import json
import os
import urllib.error
import urllib.request

from orgchat import Client


class World:
    """A sandbox of the mock at ORGCHAT_MOCK_URL. It is dropped at the end, or after a minute without a request."""

    def __init__(self, name, **options):
        root = os.environ.get("ORGCHAT_MOCK_URL", "http://127.0.0.1:4010/_mock")
        created = control(root, "POST", "/sandboxes", {"name": name, "ttlMs": 60_000, **options})
        self.name = name
        self.control_url = created["controlUrl"]
        self.client = Client(created["baseUrl"], "demo-write-key")

    def control(self, method, path, body=None):
        return control(self.control_url, method, path, body)

    def drop(self):
        root, _, sandbox = self.control_url.removesuffix("/_mock").partition("/_sandbox/")
        control(f"{root}/_mock", "DELETE", f"/sandboxes/{sandbox}")


def control(url, method, path, body=None):
    """A call of the control API; an error raises its message."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url + path, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise AssertionError(json.load(error)["message"]) from error
