"""What most first versions look like. `orgchat mock drill` shows what is wrong with it."""

import json
import os
import urllib.request
import uuid


def post(path, body):
    request = urllib.request.Request(
        os.environ["ORGCHAT_BASE_URL"] + path,
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {os.environ['ORGCHAT_API_KEY']}"},
    )
    for _ in range(3):
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response)
        except Exception as error:
            print("again:", error)
            # A new id makes a new operation: the server cannot know that it is the same change.
            if "operationId" in body:
                body["operationId"] = str(uuid.uuid4())
                request.data = json.dumps(body).encode()
    return None


for name, color in [("Spring campaign", "pink"), ("Summer campaign", "blue")]:
    change = {"action": "create-tags", "data": {"name": name, "color": color}}
    post("/chat/changes", {"operationId": str(uuid.uuid4()), "change": change})
post("/sites/demo-site/keywords", {"keywords": ["spring sale", "summer sale"]})
