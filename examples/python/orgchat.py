"""A client of the API that needs only Python's standard library.

A change is sent until its outcome is known, always under the same operationId: the server applies it once. A keyword
write has no operationId, so it is sent once, and an unknown outcome is reported.
"""

import http.client
import json
import os
import time
import urllib.error
import urllib.request
import uuid

MAX_ATTEMPTS = 6


class Refused(Exception):
    """The server refused a request; nothing was changed."""


class OutcomeUnknown(Exception):
    """Nobody can tell whether the write was applied."""


class Client:
    def __init__(self, base_url=None, api_key=None, timeout=10, wait=0.05):
        self.base_url = base_url or os.environ["ORGCHAT_BASE_URL"]
        self.api_key = api_key or os.environ["ORGCHAT_API_KEY"]
        self.timeout = timeout
        self.wait = wait

    def post(self, path, body):
        """One attempt: status and JSON, or OutcomeUnknown if no whole answer came."""
        request = urllib.request.Request(
            self.base_url + path,
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.api_key}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise OutcomeUnknown(str(error)) from error

    def change(self, operation_id, change):
        """Applies a change once. Send the same operation_id again for the same intent, also after a crash."""
        problem = "no attempt"
        for attempt in range(MAX_ATTEMPTS):
            if attempt > 0:
                time.sleep(self.wait * 2**attempt)
            try:
                status, body = self.post(
                    "/chat/changes", {"operationId": operation_id, "change": change}
                )
            except OutcomeUnknown as error:
                problem = str(error)
                continue
            if status == 200:
                if not (body["applied"] or body["replayed"]):
                    raise Refused("The change was not applied.")
                return body["result"]
            problem = body["error"]
            # An uncertain operation is not a conflict: only the same operationId can settle it. An outage can be a 404.
            if status == 429 or status >= 500 or problem in ("OPERATION_UNCERTAIN", "RUNTIME_UNAVAILABLE"):
                continue
            raise Refused(f"{status} {problem}: {body['message']}")
        raise OutcomeUnknown(problem)

    def read(self, query):
        """Reading twice does no harm."""
        for attempt in range(MAX_ATTEMPTS):
            try:
                status, body = self.post("/chat/read", query)
            except OutcomeUnknown:
                continue
            if status == 200:
                return body
        raise OutcomeUnknown("no answer to a read")

    def add_keywords(self, site_id, keywords):
        """Adds keywords, once. Check the site before you send them again after an unknown outcome."""
        for attempt in range(MAX_ATTEMPTS):
            status, body = self.post(f"/sites/{site_id}/keywords", {"keywords": keywords})
            # Only a refusal by the rate limit is sure to have added nothing, and helps to repeat.
            if status != 429:
                break
            time.sleep(self.wait * 2**attempt)
        if status == 201:
            return body
        if status >= 500:
            raise OutcomeUnknown(body["error"])
        raise Refused(f"{status} {body['error']}: {body['message']}")


def operation_id(intent):
    """The same intent gives the same id, in every process: `order 4711`."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://example.com/orgchat/{intent}"))
