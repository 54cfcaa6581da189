"""What OpenAPI cannot say about kith's parameters, said to schemathesis.

Each rule below makes a generated request keep to one that JSON Schema has no words for. Values that
break their schema are left as they are: refusing them is what is tested.
"""

import hashlib
import os
import re
import unicodedata

import schemathesis

MEMBERS = os.environ["KITH_MEMBERS"].split(",")
PEOPLE = os.environ["KITH_PEOPLE"].split(",")
NAMES = os.environ["KITH_NAMES"].split(",")
COMPANIES = os.environ["KITH_COMPANIES"].split(",")
# The modes of network search that can be pinned here: which engines are in service, no schema knows.
MODES = os.environ["KITH_MODES"].split(",")
# The generation in service: since any other one nothing is known of the demo, and the answer is 410.
GENERATION = int(os.environ["KITH_GENERATION"])

# Of each of these exactly one is sent.
ALTERNATIVES = {
    "/api/v1/search/warm-paths": [
        "prospectLinkedinId",
        "prospectName",
        "prospectCompany",
        "prospectId",
        "prospectEmail", "prospect",
    ],
    "/api/v1/people/network": ["name", "linkedinId", "personId"],
}
# Bounded in bytes (the handle in them is), where JSON Schema counts characters.
HANDLES = ["prospectLinkedinId", "linkedinId"]
# What to look for so that something is found.
REAL = {"prospectName": NAMES, "name": NAMES, "prospectCompany": COMPANIES, "personId": PEOPLE}
MEMBER_ID = re.compile(r"^(user|person)_[^,]*\Z")
PERSON_ID = re.compile(r"^person_")
TARGET_ID = re.compile(r"^(person|company)_")
BYTES_MAX = 200
FOLDED_MAX = 200


def pick(choices, by):
    """One of the choices, always the same one for the same value."""
    digest = hashlib.sha256(repr(by).encode("utf-8", "surrogatepass")).digest()
    return choices[int.from_bytes(digest[:4], "big") % len(choices)]


def is_text(value, most=200):
    return isinstance(value, str) and re.search(r"\S", value) is not None and len(value) <= most


def is_person_id(value):
    return is_text(value) and PERSON_ID.match(value) is not None


def is_schema_valid(name, value):
    if name == "personId":
        return is_person_id(value)
    if name == "prospectId":
        return is_text(value) and TARGET_ID.match(value) is not None
    if name == "prospectEmail":
        return is_text(value, most=254) and "@" in value
    if name == "prospect":
        return is_text(value, most=300)
    return is_text(value, most=1 << 20 if name in HANDLES else 200)


def folded(text):
    kept = (c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return " ".join("".join(c.lower() for c in kept).split())


def keep_one(query, names):
    """Exactly one of `names` is sent: one that breaks its schema where there is one, else any."""
    sent = [name for name in names if name in query]
    broken = [name for name in sent if not is_schema_valid(name, query[name])]
    kept = pick(broken or sent or names, sorted(query))
    for name in sent:
        if name != kept:
            del query[name]
    # Half of the valid ones are a person's, so that answers with data are looked at too.
    value = query.get(kept, "a")
    if kept not in broken and kept in REAL and pick([True, False], sorted(query.items(), key=str)):
        value = pick(REAL[kept], (value, len(query)))
    query[kept] = value


def written(value):
    """A next-line character is white space here, and none to JSON Schema's patterns: a text of nothing else is another one."""
    return "a" if isinstance(value, str) and "\u0085" in value and not value.strip() else value


def settle(path, query):
    for name, value in query.items():
        query[name] = written(value)
    if path in ALTERNATIVES:
        keep_one(query, ALTERNATIVES[path])
    if path == "/api/v1/changes" and type(query.get("since")) is int and 0 <= query["since"] < 1 << 64:
        query["since"] = GENERATION
    # Each goes with one way to name the target alone.
    if "prospectName" not in query:
        query.pop("prospectNameAt", None)
    is_company = "prospectCompany" in query or str(query.get("prospectId", "")).startswith("company_")
    if not is_company:
        query.pop("position", None)
    # Only members' ids are taken; which those are, no schema knows.
    ids = query.get("fromUserIds")
    if isinstance(ids, list):
        query["fromUserIds"] = [
            pick(MEMBERS, id) if is_text(id) and MEMBER_ID.match(id) else id for id in ids
        ]
    # So are half of the ids, and all those of more bytes than characters, whose bound no schema can say.
    for name in ("personId", "viaConnectorId"):
        value = query.get(name)
        if is_person_id(value) and (len(value.encode("utf-8", "replace")) > BYTES_MAX or pick([True, False], value)):
            query[name] = pick(PEOPLE, value)
    for name in HANDLES:
        value = query.get(name)
        if is_text(value, most=1 << 20) and len(value.encode("utf-8", "replace")) > BYTES_MAX:
            query[name] = "a" + str(len(value))
    # The bounds of these are those of the folded text.
    for name, most in (("q", FOLDED_MAX), ("prospect", 300)):
        value = query.get(name)
        if is_text(value, most=most) and not 1 <= len(folded(value)) <= most:
            query[name] = "a"


def settle_search(body):
    """A member's id and a mode that can answer, where the body's are of the right form."""
    value = body.get("asUserId")
    if is_text(value) and re.match(r"^(user|person)_", value):
        body["asUserId"] = pick(MEMBERS, value)
    if body.get("mode") in ("vector", "graph", "relational"):
        body["mode"] = pick(MODES, body["mode"])
    # To JSON Schema 3.0 is a whole number; here one is written in digits alone.
    for name in ("limit", "strictness", "offset"):
        value = body.get(name)
        if isinstance(value, float) and value.is_integer():
            body[name] = int(value)
    value = written(body.get("query"))
    if value is not None:
        body["query"] = value
    # Half of the questions are about what is there.
    if is_text(value, most=1000) and pick([True, False], sorted(body.items(), key=str)):
        body["query"] = pick([*NAMES, *COMPANIES, "who do we know", "engineers in Germany"], value)


def settle_batch(body):
    """Members' ids, where the body's are of the right form, and whole numbers in digits alone."""
    ids = body.get("fromUserIds")
    if isinstance(ids, list):
        body["fromUserIds"] = [
            pick(MEMBERS, id) if is_text(id) and re.match(r"^(user|person)_", id) else id for id in ids
        ]
    targets = body.get("targets")
    if isinstance(targets, list):
        named = lambda target: {name: written(value) for name, value in target.items()}
        body["targets"] = [named(target) if isinstance(target, dict) else target for target in targets]
    value = body.get("perTarget")
    if isinstance(value, float) and value.is_integer():
        body["perTarget"] = int(value)


@schemathesis.hook
def filter_query(context, query):
    """On people/network every text is taken for false but one; the document lists true and false."""
    if context.operation.path != "/api/v1/people/network" or not isinstance(query, dict):
        return True
    return query.get("includeIntroRequested", "true") in (True, False, "true", "false")


@schemathesis.hook
def before_call(context, case, kwargs):
    query = dict(case.query or {})
    settle(case.operation.path, query)
    if query != (case.query or {}):
        case.query = query
    value = (case.path_parameters or {}).get("id")
    if is_person_id(value) and pick([True, False], value):
        case.path_parameters = {"id": pick(PEOPLE, value)}
    if case.operation.path == "/api/v1/search/network" and isinstance(case.body, dict):
        body = dict(case.body)
        settle_search(body)
        # Also if they compare as equal: 2.0 is 2.
        case.body = body
    if case.operation.path == "/api/v1/search/warm-paths/batch" and isinstance(case.body, dict):
        body = dict(case.body)
        settle_batch(body)
        case.body = body
