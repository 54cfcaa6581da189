//! The served document, and its descriptions of requests and answers.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use axum::http::Method;
use jsonschema::Validator;
use kith::limits::Limits;
use serde_json::{Value, json};

use crate::oracle::Tables;
use crate::support::{Answer, Credentials, Served, network_of, project};

/// The tiny network, in service.
pub(crate) fn tiny(credentials: &Credentials) -> Served {
    Served::folders(&[&project("fixtures/tiny")], credentials, Limits::DEFAULT)
}

/// The tiny network after edits that make a change of each kind; generation 1 is the one before them.
pub(crate) fn since_edited(credentials: &Credentials) -> Served {
    let edits = [
        ("\"to\":\"person_pia\",\"warmness\":70", "\"to\":\"person_pia\",\"warmness\":90"),
        ("{\"from\":\"person_kim\",\"to\":\"person_tom\"", "{\"from\":\"person_kim\",\"to\":\"person_sol\""),
        ("VP Sales", "CRO"),
        (
            "\"position\":\"Freelance Designer\"",
            "\"position\":\"Freelance Designer\",\"currentCompanyId\":\"company_mill\"",
        ),
        ("\"to\":\"person_rui\",\"warmness\":66", "\"to\":\"person_rui\",\"warmness\":11"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut tables = Tables::read(&project("fixtures/tiny"));
    for (old, new) in edits {
        tables.files.iter_mut().for_each(|(_, text)| *text = text.replace(old, new));
    }
    tables.write(folder.path());
    let (old, new) = (network_of(&project("fixtures/tiny")), network_of(folder.path()));
    Served::since(old, new, credentials, Limits::DEFAULT)
}

/// The document that the router serves.
pub(crate) async fn served_document() -> Value {
    let answer = tiny(&Credentials::new()).ask("GET".parse().unwrap(), "/api/v1/openapi.json", &[]).await;
    assert_eq!(answer.status, 200);
    answer.json()
}

/// The only operation of a path, and its method.
pub(crate) fn only_operation(item: &Value) -> (Method, &Value) {
    let operations = item.as_object().unwrap();
    assert_eq!(operations.len(), 1, "{item}");
    let (method, operation) = operations.iter().next().unwrap();
    (method.to_uppercase().parse().unwrap(), operation)
}

/// A document, ready to judge by.
pub(crate) struct Document {
    pub(crate) json: Value,
    /// By the JSON of the schema; compiled when it is first judged by, since each takes the whole document.
    validators: BTreeMap<String, OnceCell<Validator>>,
}

/// What an answer shows of the document: which fields are there and which are left out, which names
/// of closed sets came up, which statuses and codes.
pub(crate) type Shown = BTreeSet<String>;

impl Document {
    /// To judge by every schema that a parameter, a header or a body has. The objects of answers are closed, which the
    /// document leaves open to names of later versions: those of this version are all listed.
    pub(crate) fn new(mut json: Value) -> Self {
        for schema in json["components"]["schemas"].as_object_mut().unwrap().values_mut() {
            schema.as_object_mut().unwrap().entry("additionalProperties").or_insert(false.into());
        }
        Self::as_served(json)
    }

    /// Like [`Self::new`], with every object as open as the document leaves it.
    pub(crate) fn as_served(json: Value) -> Self {
        let mut schemas = Vec::new();
        collect_schemas(&json["paths"], &mut schemas);
        collect_schemas(&json["components"]["responses"], &mut schemas);
        let validators = schemas.iter().map(|schema| (schema.to_string(), OnceCell::new())).collect();
        Self { json, validators }
    }

    /// Compiles every schema; panics if one is invalid.
    pub(crate) fn compile(&self) {
        for (schema, compiled) in &self.validators {
            compiled.get_or_init(|| validator(&self.json, &serde_json::from_str(schema).unwrap()));
        }
    }

    /// Every operation: its path and itself.
    pub(crate) fn operations(&self) -> impl Iterator<Item = (&str, &Value)> {
        let paths = self.json["paths"].as_object().unwrap();
        paths.iter().map(|(path, item)| (path.as_str(), only_operation(item).1))
    }

    /// The method by which `path` is asked.
    pub(crate) fn method(&self, path: &str) -> Method {
        only_operation(&self.json["paths"][self.operation(path).0]).0
    }

    /// The path, as the document has it, that answers `path`, and its operation.
    pub(crate) fn operation(&self, path: &str) -> (&str, &Value) {
        let paths = self.json["paths"].as_object().unwrap();
        let exact = paths.get_key_value(path);
        let (template, item) = exact.unwrap_or_else(|| paths.get_key_value("/api/v1/people/{id}").unwrap());
        (template, only_operation(item).1)
    }

    /// The schema that the `$ref` in `value` refers to, with its name.
    pub(crate) fn resolve<'a>(&'a self, value: &'a Value) -> (Option<&'a str>, &'a Value) {
        match value["$ref"].as_str() {
            None => (None, value),
            Some(place) => {
                let name = place.rsplit('/').next();
                (name, self.json.pointer(place.strip_prefix('#').unwrap()).unwrap())
            }
        }
    }

    fn judge(&self, schema: &Value, instance: &Value) -> Result<(), String> {
        let validator = self.validators[&schema.to_string()].get_or_init(|| validator(&self.json, schema));
        let errors: Vec<String> = validator
            .iter_errors(instance)
            .map(|error| format!("{} at {}", error, error.instance_path()))
            .collect();
        if errors.is_empty() { Ok(()) } else { Err(errors.join("; ")) }
    }

    /// Passes if `params` are what the document says that `path` takes.
    pub(crate) fn judge_params(&self, path: &str, params: &[(String, String)]) -> Result<(), String> {
        let described = self.operation(path).1["parameters"].as_array().unwrap();
        for (name, _) in params {
            if !described.iter().any(|parameter| parameter["name"] == **name) {
                return Err(format!("{path} takes no {name}"));
            }
        }
        for parameter in described.iter().filter(|parameter| parameter["in"] == "query") {
            let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
            let sent = params.iter().filter(|(sent, _)| sent == name).map(|(_, value)| value.as_str());
            let sent: Vec<&str> = sent.collect();
            if sent.is_empty() {
                match parameter["required"] == true {
                    true => return Err(format!("{path} needs {name}")),
                    false => continue,
                }
            }
            self.judge(schema, &instance(schema, &sent))
                .map_err(|fault| format!("{path} {name}: {fault}"))?;
        }
        Ok(())
    }

    /// The schema of the body that `path` takes; `None` if it takes none.
    pub(crate) fn body_schema(&self, path: &str) -> Option<&Value> {
        self.operation(path).1.pointer("/requestBody/content/application~1json/schema")
    }

    /// Passes if `body` is one that the document says that `path` takes.
    pub(crate) fn judge_body(&self, path: &str, body: &Value) -> Result<(), String> {
        let schema = self.body_schema(path).ok_or_else(|| format!("{path} takes no body"))?;
        self.judge(schema, body).map_err(|fault| format!("{path} {body}: {fault}"))
    }

    /// Passes if `answer` is one that the document says `path` gives; adds what it shows to `shown`.
    pub(crate) fn judge_answer(&self, path: &str, answer: &Answer, shown: &mut Shown) -> Result<(), String> {
        let (template, operation) = self.operation(path);
        let status = answer.status.as_str();
        let (_, response) = self.resolve(&operation["responses"][status]);
        let headers = response["headers"].as_object().ok_or_else(|| format!("{template} has no {status}"))?;
        for (name, header) in headers {
            let Some(value) = answer.header(name) else {
                match header["required"] == true {
                    true => return Err(format!("{template} {status} lacks {name}")),
                    false => continue,
                }
            };
            let schema = &header["schema"];
            self.judge(schema, &instance(schema, &[value])).map_err(|fault| format!("{name}: {fault}"))?;
        }
        for name in ["www-authenticate", "retry-after", "allow"] {
            let described = headers.keys().any(|header| header.eq_ignore_ascii_case(name));
            if answer.header(name).is_some() && !described {
                return Err(format!("{template} {status} has {name}, which is not described"));
            }
        }
        let (media, content) = response["content"].as_object().unwrap().iter().next().unwrap();
        let sent = answer.header("content-type").unwrap_or("none");
        if sent.split(';').next() != Some(media) {
            return Err(format!("{template} {status} is {sent}"));
        }
        if media == "application/json" {
            let body = answer.json();
            self.judge(&content["schema"], &body)
                .map_err(|fault| format!("{template} {status}: {fault}: {body}"))?;
            self.note(&content["schema"], &body, "", shown);
            if let Some(code) = body["code"].as_str() {
                shown.insert(format!("{template} {status} {code}"));
            }
        }
        shown.insert(format!("{template} {status}"));
        Ok(())
    }

    /// Adds what `instance` of `schema` shows to `shown`.
    fn note(&self, schema: &Value, instance: &Value, place: &str, shown: &mut Shown) {
        let (name, schema) = self.resolve(schema);
        let place = name.unwrap_or(place);
        if let Some(branches) = schema["oneOf"].as_array() {
            let null = instance.is_null();
            shown.insert(format!("{place} is {}", if null { "null" } else { "not null" }));
            // Of several alternatives, the one whose fields are present.
            let fits = |branch: &&Value| {
                let (_, schema) = self.resolve(branch);
                let has = |field: &Value| instance.get(field.as_str().unwrap()).is_some();
                match schema["required"].as_array() {
                    Some(required) => instance.is_object() && required.iter().all(has),
                    None => (branch["type"] == "null") == null && !instance.is_object(),
                }
            };
            let branch = branches.iter().find(fits).unwrap();
            return self.note(branch, instance, place, shown);
        }
        if schema["enum"].is_array() {
            shown.insert(format!("{place} is {instance}"));
        }
        if let Some(properties) = schema["properties"].as_object() {
            for (field, schema) in properties {
                let place = format!("{place}.{field}");
                match instance.get(field) {
                    Some(instance) => {
                        shown.insert(format!("{place} is there"));
                        self.note(schema, instance, &place, shown);
                    }
                    None => {
                        shown.insert(format!("{place} is left out"));
                    }
                }
            }
        }
        if let (Some(items), Some(instances)) = (schema.get("items"), instance.as_array()) {
            for instance in instances {
                self.note(items, instance, place, shown);
            }
        }
    }

    /// All that answers can show: each field there, each that is not required left out, each name of
    /// each closed set, both sides of what may be null.
    pub(crate) fn showable(&self) -> Shown {
        let mut showable = Shown::new();
        let schemas = self.json["components"]["schemas"].as_object().unwrap();
        for (name, schema) in schemas.iter().filter(|(name, _)| !name.ends_with("Error")) {
            let required: Vec<&str> =
                schema["required"].as_array().unwrap().iter().map(|field| field.as_str().unwrap()).collect();
            for (field, schema) in schema["properties"].as_object().unwrap() {
                showable.insert(format!("{name}.{field} is there"));
                if !required.contains(&field.as_str()) {
                    showable.insert(format!("{name}.{field} is left out"));
                }
                for value in schema["enum"].as_array().unwrap_or(&Vec::new()) {
                    showable.insert(format!("{name}.{field} is {value}"));
                }
                if schema["oneOf"].is_array() {
                    showable.insert(format!("{name}.{field} is null"));
                    showable.insert(format!("{name}.{field} is not null"));
                }
            }
        }
        for (path, operation) in self.operations() {
            for (status, response) in operation["responses"].as_object().unwrap() {
                showable.insert(format!("{path} {status}"));
                let (name, _) = self.resolve(response);
                let Some(name) = name else { continue };
                let schema = &schemas[&format!("{}Error", name.trim_end_matches("Error"))];
                for code in schema["properties"]["code"]["enum"].as_array().unwrap() {
                    showable.insert(format!("{path} {status} {}", code.as_str().unwrap()));
                }
            }
        }
        showable
    }
}

/// A validator of `schema`, whose references point into `document`.
fn validator(document: &Value, schema: &Value) -> Validator {
    let mut whole = schema.clone();
    whole["components"] = json!({ "schemas": document["components"]["schemas"] });
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012);
    options.should_validate_formats(true).build(&whole).unwrap()
}

/// Every value of a key `schema` at any depth below `value`.
fn collect_schemas(value: &Value, schemas: &mut Vec<Value>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                if key == "schema" {
                    schemas.push(value.clone());
                } else if key != "example" && key != "examples" {
                    collect_schemas(value, schemas);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_schemas(item, schemas)),
        _ => {}
    }
}

/// A parameter or header as JSON of the type in `schema`.
fn instance(schema: &Value, sent: &[&str]) -> Value {
    let text = Value::from(sent[0]);
    match schema["type"].as_str().unwrap() {
        "array" => sent.iter().flat_map(|value| value.split(',')).map(Value::from).collect(),
        "integer" | "boolean" => serde_json::from_str(sent[0]).unwrap_or(text),
        _ => text,
    }
}
