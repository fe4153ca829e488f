"""A client in Python that creates tags and adds keywords, each once, whenever it is killed."""

import os
import pathlib
import sys

from orgchat import Client, OutcomeUnknown, operation_id

TAGS = [("Spring campaign", "pink"), ("Summer campaign", "blue")]
KEYWORDS = ["spring sale", "summer sale"]

client = Client(timeout=float(os.environ.get("ATTEMPT_TIMEOUT", "10")))
for name, color in TAGS:
    # The id comes from the intent, not from this process: a second process sends the same one.
    change = {"action": "create-tags", "data": {"name": name, "color": color}}
    client.change(operation_id(f"campaign tag {name}"), change)

# A keyword write has no operationId. A mark on disk says that it was sent, so that no second process sends it again.
folder = pathlib.Path(os.environ.get("ORGCHAT_STATE_DIR", "."))
folder.mkdir(parents=True, exist_ok=True)
sent, done = folder / "keywords-sent", folder / "keywords-done"
if not done.exists():
    if sent.exists():
        sys.exit("The keywords may have been added. Check the site, then remove the mark.")
    sent.touch()
    try:
        client.add_keywords("demo-site", KEYWORDS)
    except OutcomeUnknown as error:
        sys.exit(f"The keywords may have been added: {error}. Check the site.")
    done.touch()
