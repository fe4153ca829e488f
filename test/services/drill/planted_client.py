"""A client of the drill's tests: right, or wrong in the one way that its argument names."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import sys
import urllib.error
import urllib.request
import uuid

BUG = sys.argv[1]
STATE = pathlib.Path(os.environ["ORGCHAT_STATE_DIR"])
PROCESS = uuid.uuid4()
TIMEOUT = 0.4


def post(path, body):
    request = urllib.request.Request(
        os.environ["ORGCHAT_BASE_URL"] + path,
        data=json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + os.environ["ORGCHAT_API_KEY"]},
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)
    except (OSError, http.client.HTTPException, ValueError):
        return None, None


def create_tag(intent, name):
    generation = 0
    for attempt in range(6):
        seed = f"{intent} {generation}" + (str(PROCESS) if BUG == "id-per-process" else "")
        data = {"name": f"{name} {attempt}" if BUG == "other-input-on-retry" else name, "color": "pink"}
        change = {"action": "create-tags", "data": data}
        operation = str(uuid.uuid5(uuid.NAMESPACE_URL, seed))
        status, body = post("/chat/changes", {"operationId": operation, "change": change})
        if status == 200:
            return
        if status is None:
            if BUG == "gives-up":
                sys.exit("no answer")
            if BUG == "swallows-errors":
                return
            if BUG == "new-id-on-retry":
                generation += 1
        elif body["error"] == "OPERATION_UNCERTAIN":
            if BUG == "takes-409-for-done":
                return
            if BUG == "new-id-after-409":
                generation += 1
        else:
            sys.exit(f"{status} {body['error']}")
    sys.exit("unknown")


def add_keywords():
    sent, done = STATE / "sent", STATE / "done"
    if done.exists():
        return
    if sent.exists() and BUG != "resends-keywords-after-kill":
        sys.exit("keywords unknown")
    sent.touch()
    for _ in range(3 if BUG == "retries-keyword-write" else 1):
        status, _ = post("/sites/demo-site/keywords", {"keywords": ["spring", "summer"]})
        if status == 201:
            done.touch()
            return
        if BUG == "swallows-errors":
            return
    sys.exit("keywords unknown")


STATE.mkdir(parents=True, exist_ok=True)
if BUG == "does-nothing-after-kill":
    started = STATE / "started"
    if started.exists():
        sys.exit(0)
    started.touch()

if BUG in ("random-names", "random-names-doubled"):
    # The names are chosen once and kept; the wrong client chooses again in each process.
    plan = STATE / "plan.json"
    if plan.exists() and BUG == "random-names":
        names = json.loads(plan.read_text())
    else:
        names = [f"{uuid.uuid4().hex[:10]} {kind}" for kind in ("spring", "summer")]
        plan.write_text(json.dumps(names))
    for name in names:
        create_tag(f"tag {name}", name)
elif BUG in ("parallel", "new-id-on-retry-parallel"):
    if BUG != "parallel":
        BUG = "new-id-on-retry"
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: create_tag(f"tag {n}", f"Parallel {n}"), range(4)))
else:
    create_tag("tag A", "A")
    create_tag("tag B", "B")
    add_keywords()
