"""What Schemathesis cannot know from a description of an API: which entities are there.

A reference that it makes up refers to nothing, and a service refuses it with 400, rightly. So references of
requests that are meant to be valid get the id of an entity that exists, made when it is first needed.
"""

import json
import os
import random
import string
import re
import sys
import urllib.error
import urllib.request

import schemathesis
from hypothesis import strategies

GATEWAY = os.environ["PORTICO_GATEWAY"]
TOKEN = os.environ.get("PORTICO_TOKEN")

with open(os.environ["PORTICO_OPENAPI"], encoding="utf-8") as file:
    DOCUMENT = json.load(file)

# bcrypt reads 72 bytes; a schema can only count characters.
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


def required_of(operation):
    name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
    return DOCUMENT["components"]["schemas"][name].get("required", [])


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
    except urllib.error.HTTPError as error:
        with error:
            return error.code, None


def sample(operation, parent):
    """A body that is valid, its texts new ones because of those that have to be unique."""
    body = dict(operation["requestBody"]["content"]["application/json"]["example"])
    required = required_of(operation)
    for name, schema in schema_of(operation).items():
        if "x-references" in schema:
            # An optional reference may lead back to the same schema.
            body[name] = existing(schema["x-references"], parent) if name in required else None
        elif schema.get("type") == "string" and "format" not in schema and schema.get("pattern") == "^[^\\u0000]*$":
            length = max(schema.get("minLength", 0), min(schema.get("maxLength", 20), 20))
            body[name] = "".join(random.choice(string.ascii_lowercase) for _ in range(length))
        elif schema.get("format") == "decimal" and name in body:
            body[name] = varied(body[name])
    return body


def varied(decimal):
    """Another decimal near a valid one, since those that have to be unique are few."""
    whole, point, fraction = decimal.partition(".")
    return whole + point + "".join(random.choice(string.digits) for _ in fraction)


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
    for _ in range(5):
        status, created = request(method, path, sample(operation, parent))
        if status != 409:
            break
    if status == 201:
        known[path] = created["id"]
    elif status not in (404, 409):
        print(f"{target} could not be made at {path}: {status}", file=sys.stderr)
    return known.get(path)


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None:
        return
    operation = OPERATIONS[case.operation.definition.raw["operationId"]][2]
    is_negative = case.meta.generation.mode.is_negative
    if not is_negative and case.query:
        # The cursor of a list in an order comes from the page before, so a made-up one is refused.
        for parameter in operation["parameters"]:
            if parameter["name"] == "after" and "pattern" in parameter["schema"]:
                case.query.pop("after", None)
    if not isinstance(case.body, dict):
        return
    # The bounds of decimals are not in the schema: they are text for exactness.
    decimals = [name for name, schema in schema_of(operation).items() if schema.get("format") == "decimal"]
    if is_negative:
        for name in decimals:
            # A decimal can also be sent as a number, which the schema leaves out.
            if isinstance(case.body.get(name), (int, float)):
                case.body[name] = "not a decimal"
        return
    # The example of a patch has only some of the attributes.
    complete = OPERATIONS.get(re.sub("^patch", "update", operation["operationId"]), (None, None, operation))[2]
    example = complete["requestBody"]["content"]["application/json"]["example"]
    for name in decimals:
        if case.body.get(name) is not None:
            case.body[name] = varied(example[name])
    parent = (case.path_parameters or {}).get("parent-id")
    for name, target in references_of(operation).items():
        if name in case.body:
            found = existing(target, parent)
            if found is not None:
                case.body[name] = found


# An entity of which a user has one only is made before Schemathesis makes it: its id would be unknown here.
for _name, (_, _, _operation) in OPERATIONS.items():
    if _operation.get("x-access") == "any user, once":
        existing(_name.removeprefix("create"))
