"""What Schemathesis cannot know from a description of an API: which entities are there.

A reference that it makes up refers to nothing, and a service refuses it with 400, rightly. So references of
requests that are meant to be valid get the id of an entity that exists, made when it is first needed.
"""

import json
import os
import random
import string
import sys
import urllib.error
import urllib.request

import schemathesis
from hypothesis import strategies

GATEWAY = os.environ["PORTICO_GATEWAY"]
TOKEN = os.environ.get("PORTICO_TOKEN")

with open(os.environ["PORTICO_OPENAPI"], encoding="utf-8") as file:
    DOCUMENT = json.load(file)

# bcrypt sees 72 bytes; a schema can count characters alone.
schemathesis.openapi.format(
    "password", strategies.text(alphabet=string.ascii_letters + string.digits, min_size=8, max_size=72)
)


def operations():
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            yield operation["operationId"], method.upper(), path, operation


OPERATIONS = {name: (method, path, operation) for name, method, path, operation in operations()}


def schema_of(operation):
    body = operation.get("requestBody")
    if body is None:
        return {}
    name = body["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
    return DOCUMENT["components"]["schemas"][name].get("properties", {})


def references_of(operation):
    return {
        name: schema["x-references"]
        for name, schema in schema_of(operation).items()
        if "x-references" in schema
    }


def request(method, path, body=None):
    headers = {} if TOKEN is None else {"Authorization": f"Bearer {TOKEN}"}
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(f"http://{GATEWAY}{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=120) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, None


def sample(operation, parent):
    """A body that is valid, its texts new ones because of those that have to be unique."""
    body = dict(operation["requestBody"]["content"]["application/json"]["example"])
    for name, schema in schema_of(operation).items():
        if "x-references" in schema:
            body[name] = existing(schema["x-references"], parent)
        elif schema.get("type") == "string" and "format" not in schema and schema["pattern"] == "^[^\\u0000]*$":
            length = max(schema.get("minLength", 0), min(schema.get("maxLength", 20), 20))
            body[name] = "".join(random.choice(string.ascii_lowercase) for _ in range(length))
    return body


known = {}


def existing(target, parent=None):
    """The id of an entity or, below a parent, of an entry; None where none can be made."""
    method, path, operation = OPERATIONS.get(f"create{target}", (None, "", None))
    if operation is None:
        return None
    if "{parent-id}" in path:
        if parent is None:
            return None
        path = path.replace("{parent-id}", parent)
    read = OPERATIONS.get(f"read{target}")
    remembered = known.get(path)
    if remembered is not None and read is not None:
        status, _ = request("GET", f"{path}/{remembered}")
        if status == 200:
            return remembered
    status, created = request(method, path, sample(operation, parent))
    if status == 201:
        known[path] = created["id"]
    elif status not in (404, 409):
        print(f"{target} could not be made at {path}: {status}", file=sys.stderr)
    return known.get(path)


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or case.meta.generation.mode.is_negative or not isinstance(case.body, dict):
        return
    operation = OPERATIONS[case.operation.definition.raw["operationId"]][2]
    parent = (case.path_parameters or {}).get("parent-id")
    for name, target in references_of(operation).items():
        if name in case.body:
            found = existing(target, parent)
            if found is not None:
                case.body[name] = found


# An entity of which a user has one only is made before Schemathesis makes it: its id would be unknown here.
for _name, (_, _, _operation) in OPERATIONS.items():
    if _operation.get("x-access") == "every user, once":
        existing(_name.removeprefix("create"))
