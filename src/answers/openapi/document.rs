//! Writes the table as an OpenAPI 3.1 document, in compact JSON.

use crate::api::json::{Json, Raw};
use crate::api::schema::{Field, Others, Schema, Shape, Text};
use crate::openapi::endpoints::TAGS;
use crate::openapi::failures;
use crate::openapi::failures::{PREFERENCE_APPLIED, REQUEST_ID};
use crate::openapi::table::{Access, Endpoint, Failure, Parameter, Place, Success};

/// The description of the API as a whole.
pub const ABOUT: &str = "Answers \"who can introduce us?\" from an organization's network: warm paths, people, \
    companies, connections and prospects. It only reads.\n\nEvery answer carries `Service-Request-Id`. A success \
    is a JSON object with `data`; an error is `{error, code}`, a sentence for people and a word for programs, also \
    for an unknown path (404 `not_found`) and a method that a path does not take (405 `method_not_allowed`, with \
    `Allow`). HEAD is answered as GET, without the body.\n\nA field without a value is left out, never null, \
    except for `prospect` and `company` in warm paths. Fields may be added to any object of an answer: pass over \
    those that you do not know.\n\nUnknown parameters are ignored, unless the request carries `Prefer: \
    handling=strict`: then the first is a 400 that names the nearest known one, and every answer, errors too, carries \
    `Preference-Applied: handling=strict`. A parameter that is no list may be sent once. Whole numbers are written in \
    decimal digits alone. The same goes for the fields of a body, where null is as good as not sent.\n\nThe \
    examples are requests to the second organization of `kith demo`, Fernhollow Robotics, and its answers.";
/// The credential of an organization: its name and description in the document.
pub const ORGANIZATION_KEY: (&str, &str) = (
    "organizationKey",
    "An organization's API key, `service_sk_…`: for searches and look-ups in the whole organization.",
);
/// The credential of a member: its name and description in the document.
pub const USER_TOKEN: (&str, &str) = (
    "userToken",
    "A member's access token with the scope `mcp:read`: for what needs the signed-in user's own network.",
);

/// Writes the whole document, from `endpoints` and the `schemas` of their answers.
#[must_use]
pub fn write(endpoints: &[Endpoint], schemas: &[Schema]) -> Vec<u8> {
    Json::of_object(64 << 10, |json| {
        json.field("openapi", "3.1.0");
        json.object_field("info", |json| {
            json.field("title", "kith");
            json.field("version", env!("CARGO_PKG_VERSION"));
            json.field("summary", "Who can introduce us?");
            json.field("description", ABOUT);
            json.object_field("license", |json| {
                json.field("name", env!("CARGO_PKG_LICENSE"));
                json.field("identifier", env!("CARGO_PKG_LICENSE"));
            });
        });
        json.array_field("servers", ["/"], |json, url| json.object(|json| json.field("url", url)));
        json.array_field("tags", TAGS, |json, (name, text)| {
            json.object(|json| {
                json.field("name", name);
                json.field("description", text);
            });
        });
        json.object_field("paths", |json| {
            for endpoint in endpoints {
                json.object_field(endpoint.route.path, |json| {
                    let method = endpoint.route.method.name().to_lowercase();
                    json.object_field(&method, |json| write_endpoint(json, endpoint));
                });
            }
        });
        json.object_field("components", |json| write_components(json, schemas));
    })
    .into_bytes()
}

fn write_endpoint(json: &mut Json, endpoint: &Endpoint) {
    json.field("operationId", endpoint.route.id);
    json.array_field("tags", [endpoint.tag], |json, tag| json.element(tag));
    json.field("summary", endpoint.summary);
    json.field("description", endpoint.text);
    let credentials: &[&str] = match endpoint.access {
        Access::Anyone => &[],
        Access::Either => &[ORGANIZATION_KEY.0, USER_TOKEN.0],
        Access::User => &[USER_TOKEN.0],
    };
    json.array_field("security", credentials, |json, name| {
        json.object(|json| json.array_field(name, [""; 0], |json, scope| json.element(scope)));
    });
    json.array_field(
        "parameters",
        endpoint.parameters_in(&[Place::Path, Place::Query, Place::Header]),
        |json, parameter| {
            json.object(|json| write_parameter(json, parameter));
        },
    );
    if let Success::Json { body: Some(example), .. } = endpoint.success {
        json.object_field("requestBody", |json| write_body(json, endpoint, example));
    }
    json.object_field("responses", |json| {
        json.object_field("200", |json| write_success(json, endpoint));
        for failure in &endpoint.failures {
            json.object_field(failure.status().as_str(), |json| {
                json.field("$ref", &format!("#/components/responses/{}", failure.name));
            });
        }
    });
}

fn write_parameter(json: &mut Json, parameter: &Parameter) {
    json.field("name", parameter.name);
    json.field("in", parameter.place.name());
    json.field("required", parameter.required);
    json.field("description", parameter.text);
    if matches!(parameter.shape, Shape::List(..)) {
        json.field("style", "form");
        json.field("explode", true);
    }
    json.object_field("schema", |json| {
        write_shape(json, &parameter.shape);
        write_default(json, parameter);
    });
    match (&parameter.shape, parameter.example) {
        (Shape::List(..), Some(example)) => {
            json.array_field("example", [example], |json, item| json.element(item));
        }
        (_, example) => json.field_if("example", example),
    }
}

fn write_default(json: &mut Json, parameter: &Parameter) {
    let Some(default) = &parameter.default else {
        return;
    };
    match parameter.shape {
        Shape::Text(_) | Shape::Choice(_) => json.field("default", default),
        _ => json.field("default", Raw(default)),
    }
}

fn write_body(json: &mut Json, endpoint: &Endpoint, example: &str) {
    json.field(
        "description",
        "A JSON object. Fields that are not listed are ignored, unless `Prefer` says otherwise.",
    );
    json.field("required", true);
    json.object_field("content", |json| {
        json.object_field("application/json", |json| {
            json.object_field("schema", |json| {
                json.field("type", "object");
                json.object_field("properties", |json| {
                    for field in endpoint.parameters_in(&[Place::Body]) {
                        json.object_field(field.name, |json| write_body_field(json, field));
                    }
                });
                let required = endpoint.parameters_in(&[Place::Body]).filter(|field| field.required);
                json.array_field("required", required, |json, field| json.element(field.name));
            });
            json.field("example", Raw(example));
        });
    });
}

fn write_body_field(json: &mut Json, field: &Parameter) {
    write_body_shape(json, &field.shape, field.required);
    write_default(json, field);
    json.field("description", field.text);
    if let Some(example) = field.example {
        json.array_field("examples", [example], |json, text| json.element(text));
    }
}

/// Writes the schema of a field of a body, which may be null unless it is required.
fn write_body_shape(json: &mut Json, shape: &Shape, is_required: bool) {
    if is_required {
        return write_shape(json, shape);
    }
    json.array_field("oneOf", [Some(shape), None], |json, shape| {
        json.object(|json| match shape {
            Some(shape) => write_shape(json, shape),
            None => json.field("type", "null"),
        });
    });
}

fn write_success(json: &mut Json, endpoint: &Endpoint) {
    let (media, what) = match endpoint.success {
        Success::Json { .. } => ("application/json", "The answer."),
        Success::Document => ("application/json", "This document."),
        Success::Page => ("text/html", "The page."),
    };
    json.field("description", what);
    match endpoint.success {
        Success::Page => write_headers(json, &[]),
        _ => write_headers(json, &[PREFERENCE_APPLIED]),
    }
    json.object_field("content", |json| {
        json.object_field(media, |json| match endpoint.success {
            Success::Json { schema, answer, .. } => {
                json.object_field("schema", |json| write_shape(json, &Shape::Schema(schema)));
                json.field("example", Raw(answer));
            }
            Success::Document => json.object_field("schema", |json| json.field("type", "object")),
            Success::Page => json.object_field("schema", |json| json.field("type", "string")),
        });
    });
}

fn write_headers(json: &mut Json, headers: &[Field]) {
    json.object_field("headers", |json| {
        for header in [REQUEST_ID].iter().chain(headers) {
            json.object_field(header.name, |json| {
                json.field("description", header.text);
                json.field("required", header.always);
                json.object_field("schema", |json| write_shape(json, &header.shape));
            });
        }
    });
}

fn write_components(json: &mut Json, schemas: &[Schema]) {
    json.object_field("securitySchemes", |json| {
        for ((name, text), format) in [(ORGANIZATION_KEY, "service_sk_…"), (USER_TOKEN, "opaque or JWT")] {
            json.object_field(name, |json| {
                json.field("type", "http");
                json.field("scheme", "bearer");
                json.field("bearerFormat", format);
                json.field("description", text);
            });
        }
    });
    json.object_field("responses", |json| {
        for failure in failures::all() {
            json.object_field(failure.name, |json| write_failure(json, &failure));
        }
    });
    json.object_field("schemas", |json| {
        for schema in schemas {
            json.object_field(schema.name, |json| write_schema(json, schema));
        }
        for schema in failures::all().iter().map(Failure::schema) {
            json.object_field(schema.name, |json| write_schema(json, &schema));
        }
    });
}

fn write_failure(json: &mut Json, failure: &Failure) {
    json.field("description", failure.text);
    write_headers(json, &[&[PREFERENCE_APPLIED], &failure.headers[..]].concat());
    json.object_field("content", |json| {
        json.object_field("application/json", |json| {
            json.object_field("schema", |json| write_shape(json, &Shape::Schema(failure.schema_name)));
            json.object_field("examples", |json| {
                for error in failure.distinct() {
                    json.object_field(error.code(), |json| {
                        json.object_field("value", |json| {
                            json.field("error", &error.sentence());
                            json.field("code", error.code());
                        });
                    });
                }
            });
        });
    });
}

fn write_schema(json: &mut Json, schema: &Schema) {
    json.field("type", "object");
    json.field("description", schema.text);
    json.object_field("properties", |json| {
        for Field { name, shape, text, .. } in &schema.fields {
            json.object_field(name, |json| {
                write_shape(json, shape);
                json.field("description", *text);
            });
        }
    });
    let always = schema.fields.iter().filter(|field| field.always);
    json.array_field("required", always, |json, field| json.element(field.name));
    match schema.others {
        Others::Nothing => {}
        Others::Numbers => json.object_field("additionalProperties", |json| json.field("type", "number")),
        Others::Anything => json.field("additionalProperties", true),
    }
}

fn write_shape(json: &mut Json, shape: &Shape) {
    match shape {
        Shape::Text(Text { least, most, pattern, format }) => {
            json.field("type", "string");
            json.field_if("minLength", Some(*least as u64).filter(|&least| least > 0));
            json.field_if("maxLength", most.map(|most| most as u64));
            json.field_if("pattern", *pattern);
            json.field_if("format", *format);
        }
        Shape::Choice(names) => {
            json.field("type", "string");
            json.array_field("enum", names, |json, name| json.element(name));
        }
        Shape::Whole(least, most) => {
            json.field("type", "integer");
            json.field("minimum", *least);
            json.field_if("maximum", *most);
        }
        Shape::Number => json.field("type", "number"),
        Shape::Boolean => json.field("type", "boolean"),
        Shape::True => {
            json.field("type", "boolean");
            json.field("const", true);
        }
        Shape::Schema(name) => json.field("$ref", &format!("#/components/schemas/{name}")),
        Shape::OneOfOrNull(shapes) => {
            json.array_field("oneOf", shapes.iter().map(Some).chain([None]), |json, shape| {
                json.object(|json| match shape {
                    Some(shape) => write_shape(json, shape),
                    None => json.field("type", "null"),
                });
            });
        }
        Shape::List(least, most, item) => {
            json.field("type", "array");
            json.field_if("minItems", Some(*least as u64).filter(|&least| least > 0));
            json.field_if("maxItems", most.map(|most| most as u64));
            json.object_field("items", |json| write_shape(json, item));
        }
        Shape::Object(fields) => {
            json.field("type", "object");
            json.object_field("properties", |json| {
                for Field { name, shape, always, text } in fields {
                    json.object_field(name, |json| {
                        write_body_shape(json, shape, *always);
                        json.field("description", *text);
                    });
                }
            });
        }
    }
}
