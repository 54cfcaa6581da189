"""The control: a demo answer judged by a document with one field less must be refused.

Also writes a document with one bound changed and one field left out, for schemathesis to notice.

    control.py DOCUMENT DOCUMENT_TO_WRITE ADDRESS KEY
"""

import copy
import json
import sys
import urllib.request

import jsonschema


def judge(document, answer):
    schema = {"$ref": "#/components/schemas/PeopleAnswer", "components": document["components"]}
    return jsonschema.Draft202012Validator(schema).is_valid(answer)


with open(sys.argv[1], encoding="utf-8") as file:
    served = json.load(file)
# Our own checks are stricter than callers need be: names that are not described are faults.
document = copy.deepcopy(served)
for schema in document["components"]["schemas"].values():
    schema.setdefault("additionalProperties", False)
request = urllib.request.Request(f"{sys.argv[3]}/api/v1/search/people?q=a")
request.add_header("Authorization", f"Bearer {sys.argv[4]}")
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
broken = copy.deepcopy(document)
del broken["components"]["schemas"]["PersonMatch"]["properties"]["degree"]
assert judge(document, answer), "the answer does not fit the document"
assert not judge(broken, answer), "a field that is not described was not noticed"
print("control: a field that is not described is noticed")

for parameter in document["paths"]["/api/v1/search/companies"]["get"]["parameters"]:
    if parameter["name"] == "limit":
        parameter["schema"]["maximum"] = 60
del document["components"]["schemas"]["WarmPath"]["properties"]["viaAdvocate"]
search = document["paths"]["/api/v1/search/network"]["post"]["requestBody"]["content"]["application/json"]["schema"]
search["properties"]["strictness"]["oneOf"][0]["maximum"] = 9
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(document, file)
