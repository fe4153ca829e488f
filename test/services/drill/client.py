"""A client of the drill's tests: right in some way, or wrong in the one way that its argument names."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import sys
import threading
import time
import urllib.parse
import uuid

MODE = sys.argv[1]
STATE = pathlib.Path(os.environ["ORGCHAT_STATE_DIR"])
SERVER = urllib.parse.urlsplit(os.environ["ORGCHAT_BASE_URL"])
TIMEOUT = float(os.environ["ATTEMPT_TIMEOUT"])
MAX_ATTEMPTS = 100
WAIT = 0.05

pace = threading.Lock()


def post(path, body):
    """One attempt: status, answer and the seconds to wait; a status of None if no whole answer came."""
    if MODE == "own-pacing":
        with pace:
            time.sleep(0.1)
    connection = http.client.HTTPConnection(SERVER.hostname, SERVER.port, timeout=TIMEOUT)
    try:
        headers = {"Authorization": "Bearer " + os.environ["ORGCHAT_API_KEY"]}
        connection.request("POST", SERVER.path + path, json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read()), int(response.headers.get("Retry-After", 0))
    except (OSError, http.client.HTTPException, ValueError):
        return None, {}, 0
    finally:
        connection.close()


def exists(name):
    while True:
        status, body, _ = post("/chat/read", {"resource": "tags", "limit": 50})
        if status == 200:
            return any(tag["name"] == name for tag in body["records"])


def create_tag(intent, name):
    generation = 0
    for attempt in range(MAX_ATTEMPTS):
        if MODE == "reconciles" and exists(name):
            return
        operation = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{intent} {generation}"))
        data = {"name": f"{name} {attempt}" if MODE == "other-input-on-retry" else name, "color": "pink"}
        change = {"action": "create-tags", "data": data}
        status, body, wait = post("/chat/changes", {"operationId": operation, "change": change})
        code = body.get("error")
        if status == 200 and (body["applied"] or body["replayed"]):
            return
        if status is None:
            if MODE == "gives-up":
                sys.exit("no answer")
            if MODE == "swallows-errors":
                return
            if MODE == "new-id-after-timeout":
                generation += 1
            if MODE == "looks-before-it-creates":
                if exists(name):
                    return
                generation += 1
        elif status == 200:
            if MODE != "reconciles":
                sys.exit("not applied")
        elif not (status in (429, 500, 502) or code in ("OPERATION_UNCERTAIN", "RUNTIME_UNAVAILABLE")):
            sys.exit(f"{status} {code}")
        time.sleep(wait or WAIT)
    sys.exit("unknown")


def add_keywords():
    """A mark on disk says that the keywords were sent, so that no second process sends them again."""
    sent, done = STATE / "sent", STATE / "done"
    if done.exists():
        return
    if sent.exists() and MODE != "resends-keywords-after-kill":
        sys.exit("keywords unknown")
    sent.touch()
    for _ in range(3):
        status, _, wait = post("/sites/demo-site/keywords", {"keywords": ["spring", "summer"]})
        if status == 201:
            done.touch()
            return
        if status is None and MODE == "swallows-errors":
            return
        if status != 429 and not (status is None and MODE == "retries-keyword-write"):
            break
        time.sleep(wait)
    sys.exit("keywords unknown")


def create_random_tags():
    """The names are chosen once and kept; the wrong client chooses again in each process."""
    plan = STATE / "plan.json"
    if plan.exists() and MODE == "random-names":
        names = json.loads(plan.read_text())
    else:
        names = [f"{uuid.uuid4().hex[:10]} {kind}" for kind in ("spring", "summer")]
        plan.write_text(json.dumps(names))
    for name in names:
        create_tag(f"tag {name}", name)


STATE.mkdir(parents=True, exist_ok=True)
if MODE.startswith("random-names"):
    create_random_tags()
elif MODE == "parallel":
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda n: create_tag(f"tag {n}", f"Parallel {n}"), range(2)))
elif MODE == "does-nothing-after-kill":
    started = STATE / "started"
    if not started.exists():
        started.touch()
        create_tag("tag A", "A")
        create_tag("tag B", "B")
else:
    if "keyword" not in MODE:
        create_tag("tag A", "A")
    if "keyword" in MODE or MODE in ("right", "swallows-errors"):
        add_keywords()
