"""Judges what lies in deploy/ by published schemas and by promtool, and each judge by a control that it must refuse.

    check.py WORK PROMTOOL METRICS

WORK is a folder for what this makes, METRICS a file with what a running server answers for /metrics.
"""

import copy
import json
import subprocess
import sys
from importlib import resources
from pathlib import Path

import jsonschema
import kubernetes_validate
import yaml

ROOT = Path(__file__).resolve().parents[2]
# The oldest release of Kubernetes that the manifests are for, and the newest that there is a schema of.
KUBERNETES = ["1.29", "1.37"]
ALERTS_MIN = 15


def fail(sentence):
    sys.exit(f"deploy-check: {sentence}")


def said(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def expect(command, well, what, **options):
    """Runs a command that has to end well, or has to refuse a control."""
    ended = said(command, **options)
    if (ended.returncode == 0) != well:
        fail(f"{what}\n{ended.stdout}{ended.stderr}")


# --- Kubernetes


def closed(**fields):
    return {"type": "object", "additionalProperties": False, "required": list(fields), "properties": fields}


TEXT = {"type": "string"}
LABELS = {"type": "object", "additionalProperties": TEXT}
# The fields that deploy/prometheus/operator.yaml uses, as the definition by the Prometheus operator has them: that is 70 KB, and in no
# registry.
SERVICE_MONITOR = closed(
    apiVersion={"const": "monitoring.coreos.com/v1"}, kind={"const": "ServiceMonitor"}, metadata=closed(name=TEXT, labels=LABELS),
    spec=closed(
        jobLabel=TEXT, selector=closed(matchLabels=LABELS),
        endpoints={"type": "array", "items": closed(port=TEXT, authorization=closed(credentials=closed(name=TEXT, key=TEXT)))}))


def kubernetes_fault(manifest, versions=tuple(KUBERNETES)):
    if manifest.get("kind") == "ServiceMonitor":
        return next((error.message for error in jsonschema.Draft7Validator(SERVICE_MONITOR).iter_errors(manifest)), None)
    for version in versions:
        try:
            kubernetes_validate.validate(manifest, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            return f"Kubernetes {version}: {error}"
    return None


def fields(value, path=()):
    """The path of every field that the schema names."""
    if isinstance(value, dict):
        for key, inner in value.items():
            # Other keys are those of maps that take any.
            if key.isidentifier():
                yield (*path, key)
                if key not in ("data", "requests", "limits"):
                    yield from fields(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from fields(inner, (*path, place))


def misspelt(value, path):
    """`value` with an x behind the name of the field at `path`."""
    value = copy.deepcopy(value)
    inside = value
    for step in path[:-1]:
        inside = inside[step]
    inside[f"{path[-1]}x"] = inside.pop(path[-1])
    return value


def kubernetes():
    manifests = controls = 0
    others = [ROOT / "deploy/cells/statefulset.yaml", ROOT / "deploy/prometheus/operator.yaml"]
    for file in [*sorted((ROOT / "deploy/kubernetes").glob("*.yaml")), *others]:
        for manifest in yaml.safe_load_all(file.read_text()):
            manifests += 1
            if fault := kubernetes_fault(manifest):
                fail(f"{file.name}: {fault}")
            for path in fields(manifest):
                if path[0] in ("apiVersion", "kind"):
                    continue
                controls += 1
                if kubernetes_fault(misspelt(manifest, path), KUBERNETES[-1:]) is None:
                    fail(f"the schemas of Kubernetes do not notice a misspelt {path} in {file.name}")
    print(f"kubernetes: {manifests} manifests; each of {controls} misspelt fields is refused")


def scraped():
    """The monitor finds its service, the service the operator's port of the pods of each StatefulSet, and the alerts their job."""
    service, monitor = yaml.safe_load_all((ROOT / "deploy/prometheus/operator.yaml").read_text())

    def faults(service, monitor):
        labels, port = service["metadata"]["labels"], service["spec"]["ports"][0]
        if not monitor["spec"]["selector"]["matchLabels"].items() <= labels.items():
            yield "the monitor does not select the service"
        if monitor["spec"]["endpoints"][0]["port"] != port["name"]:
            yield "the monitor names another port"
        if labels.get(monitor["spec"]["jobLabel"]) != "kith":
            yield "the job is not called kith"
        for file in ("kubernetes/kith.yaml", "cells/statefulset.yaml"):
            manifests = yaml.safe_load_all((ROOT / "deploy" / file).read_text())
            pod = next(manifest for manifest in manifests if manifest["kind"] == "StatefulSet")["spec"]["template"]
            if not service["spec"]["selector"].items() <= pod["metadata"]["labels"].items():
                yield f"the service does not select the pods of {file}"
            ports = [named["name"] for named in pod["spec"]["containers"][0]["ports"]]
            if port["targetPort"] not in ports:
                yield f"the pods of {file} have no such port"

    if found := list(faults(service, monitor)):
        fail(f"operator.yaml: {'; '.join(found)}")
    for word in ("kith", "operator"):
        if not list(faults(json.loads(json.dumps(service).replace(f'"{word}"', '"other"')), monitor)):
            fail(f"nothing notices that {word} is another word in the service")
    print("monitor: it finds the operator's port of the pods of both StatefulSets")


# --- compose


def compose():
    schema = json.loads((resources.files("compose") / "config/compose_spec.json").read_text())
    judge = jsonschema.Draft7Validator(schema)
    controls = 0
    free = ("services", "volumes", "environment", "depends_on", "name")
    files = [ROOT / "deploy/compose.yaml", ROOT / "deploy/cells/compose.yaml"]
    for path in files:
        file = yaml.safe_load(path.read_text())
        file.pop("name", None)  # Newer than the schema.
        name = path.relative_to(ROOT)
        if faults := [f"{list(error.path)}: {error.message}" for error in judge.iter_errors(file)]:
            fail(f"{name}: " + "; ".join(faults))
        for path in fields(file):
            # The names of services, volumes, variables and of those one depends on are free.
            if len(path) == 1 or path[-2] in free:
                continue
            controls += 1
            if judge.is_valid(misspelt(file, path)):
                fail(f"the schema of compose files does not notice a misspelt {path} in {name}")
    print(f"compose: {len(files)} files; each of {controls} misspelt fields is refused")


# --- Prometheus


def alerts(work, promtool):
    folder = ROOT / "deploy/prometheus"
    expect([promtool, "check", "rules", folder / "kith.rules.yml"], True, "promtool refuses the alert rules")
    expect([promtool, "test", "rules", "kith.rules.test.yml"], True, "a test of the alerts fails", cwd=folder)
    rules = yaml.safe_load((folder / "kith.rules.yml").read_text())
    tests = yaml.safe_load((folder / "kith.rules.test.yml").read_text())["tests"]
    names = [rule["alert"] for group in rules["groups"] for rule in group["rules"]]
    if len(names) < ALERTS_MIN or len(set(names)) != len(names):
        fail(f"the alerts are {names}")
    # The controls, for each alert by itself: its own test notices that it never fires, and that of a sound server that
    # it always does.
    sound, own = tests[0], {test["name"]: test for test in tests[1:]}
    for rule in (rule for group in rules["groups"] for rule in group["rules"]):
        name = rule["alert"]
        checks = [check for check in sound["alert_rule_test"] if check["alertname"] == name]
        for expression, test in (("vector(0) > 1", own[name]), ("vector(1)", {**sound, "alert_rule_test": checks})):
            alone = {"groups": [{"name": "kith", "rules": [{**rule, "expr": expression}]}]}
            (work / "kith.rules.yml").write_text(yaml.safe_dump(alone))
            (work / "kith.rules.test.yml").write_text(
                yaml.safe_dump({"rule_files": ["kith.rules.yml"], "evaluation_interval": "1m", "tests": [test]}))
            expect([promtool, "test", "rules", "kith.rules.test.yml"], False,
                   f"no test notices that {name} is `{expression}`", cwd=work)
    print(f"alerts: {len(names)}; for each one, a test notices that it never fires, and that it always does")


def board(work, promtool):
    """Grafana's own variables stand for a duration or a pattern; with any of them the expressions can be read."""
    panels = json.loads((ROOT / "deploy/grafana/kith.json").read_text())["panels"]
    expressions = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    filled = [expression.replace("$__rate_interval", "5m") for expression in expressions]

    def rules(expressions):
        record = [{"record": f"panel_{place}", "expr": expression} for place, expression in enumerate(expressions)]
        file = work / "board.rules.yml"
        file.write_text(yaml.safe_dump({"groups": [{"name": "board", "rules": record}]}))
        return [promtool, "check", "rules", file]

    expect(rules(filled), True, "Prometheus cannot read what a panel of the board asks")
    expect(rules([*filled, filled[0] + ")"]), False, "promtool reads an expression with a brace too many")
    print(f"board: {len(filled)} expressions can be read")


def metrics(promtool, file):
    text = Path(file).read_text()
    check = [promtool, "check", "metrics"]
    expect(check, True, "promtool has something to say of /metrics", input=text)
    misnamed = text.replace("kith_reloads_total", "kith_reloads")
    expect(check, False, "promtool does not notice a counter without `_total`", input=misnamed)
    print(f"metrics: {sum(line.startswith('# TYPE') for line in text.splitlines())} families are in order")


if __name__ == "__main__":
    work, promtool = Path(sys.argv[1]).resolve(), str(Path(sys.argv[2]).resolve())
    kubernetes()
    scraped()
    compose()
    alerts(work, promtool)
    board(work, promtool)
    metrics(promtool, sys.argv[3])
