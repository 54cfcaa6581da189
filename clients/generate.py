"""Writes the operations of both clients from an OpenAPI document of kith, and the schemas of it for the generators of
types.

    generate.py DOCUMENT FOLDER

Into FOLDER go `schemas.json`, an OpenAPI document of schemas alone in which everything has a name: the parameters of
each operation, its body, and what its body is made of; `operations.ts` and `operations.py`, a method for each
operation. The standard library is enough.
"""

import copy
import json
import keyword
import pathlib
import re
import sys
import textwrap

WIDTH = 110
PYTHON_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "dict[str, Any]"}


class Operation:
    """An operation of the document, as the clients need it."""

    def __init__(self, path, method, operation, schemas):
        self.path, self.method = path, method.upper()
        self.name = operation["operationId"]
        self.title = self.name[0].upper() + self.name[1:]
        self.summary, self.text = operation["summary"], operation["description"]
        # Headers are the client's business: `Prefer` is an option of it.
        parameters = [parameter for parameter in operation["parameters"] if parameter["in"] in ("path", "query")]
        self.path_parameters = [parameter for parameter in parameters if parameter["in"] == "path"]
        self.params = self.body = None
        if query := [parameter for parameter in parameters if parameter["in"] == "query"]:
            self.params = f"{self.title}Params"
            schemas[self.params] = parameters_as_object(self.params, query)
        if "requestBody" in operation:
            self.body = f"{self.title}Body"
            body = operation["requestBody"]["content"]["application/json"]["schema"]
            schemas[self.body] = {**named_items(self.title, body, schemas), "description": f"The body of `{self.name}`."}
        ((media, content),) = operation["responses"]["200"]["content"].items()
        self.is_json = media == "application/json"
        self.answer = content["schema"].get("$ref", "").rsplit("/", 1)[-1] or None


def parameters_as_object(name, parameters):
    """The parameters as an object, so that generators of types give them a name."""
    return {
        "type": "object",
        "description": f"The parameters of `{name[0].lower() + name[1:].removesuffix('Params')}`.",
        "properties": {
            parameter["name"]: {**parameter["schema"], "description": parameter["description"]}
            for parameter in parameters
        },
        "required": [parameter["name"] for parameter in parameters if parameter["required"]],
    }


def named_items(title, body, schemas):
    """The body, in which a list of objects names what it lists: of `targets`, a `…Target`."""
    body = copy.deepcopy(body)
    # A field that is not listed is a slip of the pen, which types are there to find.
    body.pop("additionalProperties", None)
    for name, field in body["properties"].items():
        if field.get("items", {}).get("type") == "object":
            item = title + name[0].upper() + name[1:].removesuffix("s")
            schemas[item] = {"description": f"One of `{name}`.", **field["items"]}
            schemas[item].pop("additionalProperties", None)
            field["items"] = {"$ref": f"#/components/schemas/{item}"}
    return body


def read(document):
    """The schemas of answers, parameters and bodies, and the operations."""
    answers = document["components"]["schemas"]
    schemas, codes = {}, set()
    for name, schema in answers.items():
        if name.endswith("Error"):
            codes |= set(schema["properties"]["code"]["enum"])
        else:
            schemas[name] = copy.deepcopy(schema)
            widen(schemas[name])
    operations = [
        Operation(path, method, operation, schemas)
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]
    schemas["ErrorCode"] = {
        "type": "string",
        "description": "What is wrong, in a word that a program can act on.",
        "enum": sorted(codes),
    }
    return schemas, operations


def widen(schema):
    """Of names that are not listed, TypeScript has each be what the listed ones are too."""
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        types = {others["type"], *(field["type"] for field in schema["properties"].values())}
        schema["additionalProperties"] = {"type": sorted(types)}


def sentences(operation, indent):
    """What the operation does, wrapped."""
    first = operation.summary.rstrip(".") + "."
    paragraphs = [first, *operation.text.split("\n\n")]
    return "\n\n".join(textwrap.fill(text, WIDTH - indent, break_on_hyphens=False) for text in paragraphs)


def write_typescript(operations):
    types = sorted({name for one in operations for name in (one.params, one.body, one.answer) if name})
    lines = [
        "// Written by clients/generate.py from openapi.json. Do not edit.",
        "",
        "import type {",
        *(f"    {name}," for name in types),
        '} from "./schema.js";',
        "",
        "/** What a call may be given beside its parameters. */",
        "export interface CallOptions {",
        "    /** Ends the call when it is aborted. */",
        "    signal?: AbortSignal;",
        "}",
        "",
        "/** A request, as an operation makes it. */",
        "export interface Call {",
        '    method: "GET" | "POST";',
        "    path: string;",
        "    query?: object;",
        "    body?: object;",
        '    answer: "json" | "text";',
        "    signal?: AbortSignal;",
        "}",
        "",
        "/** The operations of the API. */",
        "export abstract class Operations {",
        "    protected abstract send<Answer>(call: Call): Promise<Answer>;",
    ]
    for one in operations:
        taken = [f"{parameter['name']}: string" for parameter in one.path_parameters]
        call = [f'method: "{one.method}"']
        path = re.sub(r"\{(\w+)\}", r"${encodeURIComponent(\1)}", one.path)
        call.append(f"path: `{path}`" if one.path_parameters else f'path: "{path}"')
        if one.params:
            taken.append(f"params: {one.params}" + ("" if one.needs_params else " = {}"))
            call.append("query: params")
        if one.body:
            taken.append(f"body: {one.body}")
            call.append("body")
        taken.append("options: CallOptions = {}")
        call += ['answer: "json"' if one.is_json else 'answer: "text"', "...options"]
        answer = one.answer or ("{ [name: string]: unknown }" if one.is_json else "string")
        lines += [
            "",
            "    /**",
            *(f"     * {line}".rstrip() for line in sentences(one, 8).replace("*/", "*\\/").split("\n")),
            "     */",
            f"    {one.name}({', '.join(taken)}): Promise<{answer}> {{",
            f"        return this.send({{ {', '.join(call)} }});",
            "    }",
        ]
    return "\n".join([*lines, "}", ""])


def snake(name):
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    return f"{name}_" if keyword.iskeyword(name) else name


def python_type(schema):
    """What an argument may be; `None` is left to the caller."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "oneOf" in schema:
        return " | ".join(python_type(one) for one in schema["oneOf"] if one.get("type") != "null")
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(name) for name in schema['enum'])}]"
    if schema["type"] == "array":
        return f"Sequence[{python_type(schema['items'])}]"
    return PYTHON_TYPES[schema["type"]]


def write_python(operations, schemas):
    methods = [line for one in operations for line in python_method(one, schemas)]
    used = set(re.findall(r"\w+", "\n".join(methods)))
    lines = [
        "# Written by clients/generate.py from openapi.json. Do not edit.",
        '"""The operations of the API."""',
        "",
        "from abc import ABC, abstractmethod",
        "from collections.abc import Mapping, Sequence",
        "from typing import Any, Literal",
        "from urllib.parse import quote",
        "",
        "from kith_client.models import (",
        *(f"    {name}," for name in sorted(used & set(schemas))),
        ")",
        "",
        "",
        "class Operations(ABC):",
        '    """The operations of the API."""',
        "",
        "    @abstractmethod",
        "    def _send(",
        "        self,",
        "        method: str,",
        "        path: str,",
        "        query: Mapping[str, object] | None = None,",
        "        body: Mapping[str, object] | None = None,",
        "    ) -> Any: ...",
        *methods,
    ]
    return "\n".join([*lines, ""])


def python_method(one, schemas):
    arguments, sent = [], {}
    for kind in ("params", "body"):
        if not (name := getattr(one, kind)):
            continue
        schema, sent[kind] = schemas[name], []
        for field, shape in schema["properties"].items():
            is_required = field in schema["required"]
            argument = f"{snake(field)}: {python_type(shape)}" + ("" if is_required else " | None = None")
            arguments.append((not is_required, argument))
            sent[kind].append(f'"{field}": {snake(field)},')
    path = re.sub(r"\{(\w+)\}", lambda found: f"{{quote({snake(found[1])}, safe='')}}", one.path)
    answer = one.answer or ("dict[str, Any]" if one.is_json else "str")
    keywords = [argument for _, argument in sorted(arguments, key=lambda pair: pair[0])]
    lines = [
        "",
        f"    def {snake(one.name)}(",
        "        self,",
        *(f"        {snake(parameter['name'])}: str," for parameter in one.path_parameters),
        *(["        *,"] if keywords else []),
        *(f"        {argument}," for argument in keywords),
        f"    ) -> {answer}:",
        *textwrap.indent(f'"""{sentences(one, 8)}\n"""', " " * 8).split("\n"),
        f"        answer: {answer} = self._send(",
        f'            "{one.method}",',
        f"            {'f' if one.path_parameters else ''}\"{path}\",",
    ]
    for kind, argument in (("params", "query"), ("body", "body")):
        if kind in sent:
            lines += [f"            {argument}={{", *(f"                {pair}" for pair in sent[kind]), "            },"]
    return [line.rstrip() for line in [*lines, "        )", "        return answer"]]


def for_python(schemas, operations):
    """Without what are arguments there, and without what a TypedDict cannot say, so that it stays a mapping: names
    beside the listed ones."""
    arguments = {name for one in operations for name in (one.params, one.body)}
    schemas = {name: copy.deepcopy(schema) for name, schema in schemas.items() if name not in arguments}
    for schema in schemas.values():
        if "additionalProperties" in schema:
            schema.pop("properties", None)
            schema.pop("required", None)
            if schema["additionalProperties"] is True:
                schema["additionalProperties"] = {}
    return schemas


def main():
    document = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    schemas, operations = read(document)
    for one in operations:
        one.needs_params = bool(one.params and schemas[one.params]["required"])
    whole = {"openapi": document["openapi"], "info": {"title": "kith", "version": "1"}, "paths": {}}
    for name, shown in (("schemas.json", schemas), ("schemas-python.json", for_python(schemas, operations))):
        shown = {**whole, "components": {"schemas": shown}}
        (folder / name).write_text(json.dumps(shown, indent=1, ensure_ascii=False), encoding="utf-8")
    (folder / "operations.ts").write_text(write_typescript(operations), encoding="utf-8")
    (folder / "operations.py").write_text(write_python(operations, schemas), encoding="utf-8")


main()
