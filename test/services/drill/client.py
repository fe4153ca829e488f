"""A client of the drill's tests: right in some way, or wrong in the one way that its argument names."""

import json
import os
import socket
import sys
import threading
import time
import uuid

MODE = sys.argv[1]
STATE = os.environ["ORGCHAT_STATE_DIR"]
HOST, _, BASE_PATH = os.environ["ORGCHAT_BASE_URL"].removeprefix("http://").partition("/")
TIMEOUT = float(os.environ["ATTEMPT_TIMEOUT"])
MAX_ATTEMPTS = 100
WAIT = 0.05

pace = threading.Lock()


def post(path, body):
    """One attempt: status, answer and the seconds to wait; a status of None if no whole answer came."""
    if MODE == "own-pacing":
        with pace:
            time.sleep(0.1)
    text = json.dumps(body)
    head = {"Host": HOST, "Authorization": "Bearer " + os.environ["ORGCHAT_API_KEY"], "Content-Length": len(text)}
    lines = [f"POST /{BASE_PATH}{path} HTTP/1.0", *(f"{name}: {value}" for name, value in head.items()), "", text]
    try:
        return parse(send("\r\n".join(lines).encode()))
    except (OSError, ValueError, IndexError):
        return None, {}, 0


def send(request):
    """Sends a request and returns what is received until the end of the connection."""
    host, port = HOST.split(":")
    # The library for HTTP is imported in twice the time of the rest, and each row starts a process or two.
    with socket.create_connection((host, int(port)), TIMEOUT) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def parse(response):
    """Status, answer and the seconds to wait. The JSON of an answer that was cut is not valid."""
    head, _, text = response.decode().partition("\r\n\r\n")
    status, *fields = head.split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
    return int(status.split(" ")[1]), json.loads(text), int(headers.get("retry-after", 0))


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


def is_marked(name):
    return os.path.exists(os.path.join(STATE, name))


def mark(name, text=""):
    with open(os.path.join(STATE, name), "w") as file:
        file.write(text)


def add_keywords():
    """A mark on disk says that the keywords were sent, so that no second process sends them again."""
    if is_marked("done"):
        return
    if is_marked("sent") and MODE != "resends-keywords-after-kill":
        sys.exit("keywords unknown")
    mark("sent")
    for _ in range(3):
        status, _, wait = post("/sites/demo-site/keywords", {"keywords": ["spring", "summer"]})
        if status == 201:
            mark("done")
            return
        if status is None and MODE == "swallows-errors":
            return
        if status != 429 and not (status is None and MODE == "retries-keyword-write"):
            break
        time.sleep(wait)
    sys.exit("keywords unknown")


def create_random_tags():
    """The names are chosen once and kept; the wrong client chooses again in each process."""
    if is_marked("plan.json") and MODE == "random-names":
        with open(os.path.join(STATE, "plan.json")) as file:
            names = json.load(file)
    else:
        names = [f"{uuid.uuid4().hex[:10]} {kind}" for kind in ("spring", "summer")]
        mark("plan.json", json.dumps(names))
    for name in names:
        create_tag(f"tag {name}", name)


if MODE.startswith("random-names"):
    create_random_tags()
elif MODE == "parallel":
    import concurrent.futures

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda n: create_tag(f"tag {n}", f"Parallel {n}"), range(2)))
elif MODE == "does-nothing-after-kill":
    if not is_marked("started"):
        mark("started")
        create_tag("tag A", "A")
        create_tag("tag B", "B")
else:
    if "keyword" not in MODE:
        create_tag("tag A", "A")
    if "keyword" in MODE or MODE in ("right", "swallows-errors"):
        add_keywords()
