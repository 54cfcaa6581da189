//! Writes the table as one HTML page. It loads nothing, works on a phone, in dark mode and without its script, which
//! only sends examples.

use crate::api::schema::{Field, Others, Schema};
use crate::openapi::document::{ABOUT, ORGANIZATION_KEY, USER_TOKEN};
use crate::openapi::endpoints::TAGS;
use crate::openapi::failures;
use crate::openapi::page_parts::{Html, anchor, json_text, shape_text};
use crate::openapi::table::{Access, Endpoint, Failure, Parameter, Place, Success};

const STYLE: &str = include_str!("page.css");
/// The script of the page; the page's policy contains its hash.
pub const SCRIPT: &str = include_str!("page.js");
/// The page's icon; its address uses only characters allowed in an attribute.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect \
                    width=%2232%22 height=%2232%22 rx=%228%22 fill=%22%23a8431f%22/%3E%3Cpath d=%22M9 10C17 10 15 22 23 \
                    22M9 22h14%22 fill=%22none%22 stroke=%22%23fff%22 stroke-width=%222.2%22/%3E%3Cg fill=%22%23fff%22%3E\
                    %3Ccircle cx=%229%22 cy=%2210%22 r=%223.4%22/%3E%3Ccircle cx=%229%22 cy=%2222%22 r=%223.4%22/%3E\
                    %3Ccircle cx=%2223%22 cy=%2222%22 r=%223.9%22/%3E%3C/g%3E%3C/svg%3E";

/// Writes the whole page, from `endpoints` and the `schemas` of their answers.
#[must_use]
pub fn write(endpoints: &[Endpoint], schemas: &[Schema]) -> String {
    let mut html = Html::default();
    html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n<title>kith API reference</title>\n");
    html.raw(&format!("<link rel=\"icon\" href=\"{ICON}\">\n<style>\n"));
    html.raw(STYLE);
    html.raw("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#kith\">To the content</a>\n");
    write_contents(&mut html, endpoints, schemas);
    html.raw("<main>\n");
    write_introduction(&mut html);
    for (tag, about) in TAGS {
        html.element("h2", &format!(" id=\"{}\"", anchor(tag)), |html| html.text(tag));
        html.rich(about);
        for endpoint in endpoints.iter().filter(|endpoint| endpoint.tag == tag) {
            write_endpoint(&mut html, endpoint);
        }
    }
    html.raw("<h2 id=\"errors\">Errors</h2>\n");
    html.rich(
        "The body of every error holds a sentence for people in `error` and a word for programs in `code`.",
    );
    for failure in failures::all() {
        write_failure(&mut html, &failure);
    }
    html.raw("<h2 id=\"schemas\">Schemas</h2>\n");
    html.rich("What answers are made of. A field marked *optional* is left out where it has no value.");
    for schema in schemas {
        write_schema(&mut html, schema);
    }
    html.raw("</main>\n<script>");
    html.raw(SCRIPT);
    html.raw("</script>\n</body>\n</html>\n");
    html.into_string()
}

fn write_contents(html: &mut Html, endpoints: &[Endpoint], schemas: &[Schema]) {
    html.raw("<nav aria-label=\"Contents\">\n<a class=\"home\" href=\"#kith\">kith</a>\n");
    // On a phone the list is folded: the style hides what follows until this is open.
    html.raw("<details class=\"fold\"><summary>Contents</summary></details>\n<div class=\"contents\">\n");
    for (tag, _) in TAGS {
        html.link(&anchor(tag), "group", tag);
        for endpoint in endpoints.iter().filter(|endpoint| endpoint.tag == tag) {
            html.link(endpoint.route.id, "", endpoint.summary);
        }
    }
    html.link("errors", "group", "Errors");
    html.link("schemas", "group", "Schemas");
    html.raw("<details><summary>All schemas</summary>\n");
    for schema in schemas {
        html.link(schema.name, "code", schema.name);
    }
    html.raw("</details>\n</div>\n</nav>\n");
}

fn write_introduction(html: &mut Html) {
    html.raw("<header id=\"kith\" tabindex=\"-1\">\n<h1>kith <small>API reference</small></h1>\n");
    html.rich(ABOUT);
    html.raw("<p>The same as a document for programs: <a href=\"api/v1/openapi.json\">");
    html.raw("<code>/api/v1/openapi.json</code></a>, OpenAPI 3.1.</p>\n</header>\n");
    html.raw("<h2 id=\"credentials\">Credentials</h2>\n");
    html.rich("Sent with every request for data as `Authorization: Bearer <credential>`.");
    html.raw("<div class=\"rows\">\n");
    for (name, text) in [ORGANIZATION_KEY, USER_TOKEN] {
        html.row(name, |html| html.element("span", " class=\"type\"", |html| html.text("bearer")), text);
    }
    html.raw("</div>\n");
    // Without the script nothing could send it.
    html.raw("<p class=\"send-as\" hidden><label for=\"credential\">Examples below can be sent to this server, as the person who is ");
    html.raw("logged in at <a href=\"explore\">its page</a>, or with this credential, which stays in this tab:</label>\n");
    html.raw("<input id=\"credential\" type=\"password\" autocomplete=\"off\" spellcheck=\"false\" placeholder=\"service_…\"></p>\n");
}

fn write_endpoint(html: &mut Html, endpoint: &Endpoint) {
    html.raw("<section class=\"endpoint\" id=\"");
    html.text(endpoint.route.id);
    html.raw("\">\n");
    html.element("h3", "", |html| html.text(endpoint.summary));
    html.raw("<p class=\"route\">");
    html.element("b", "", |html| html.text(endpoint.route.method.name()));
    html.raw(" <code>");
    html.text(endpoint.route.path);
    html.raw("</code></p>\n<p class=\"access\">");
    html.text(match endpoint.access {
        Access::Anyone => "No credential",
        Access::Either => "Organization key or user token",
        Access::User => "User token",
    });
    html.raw("</p>\n");
    html.rich(endpoint.text);
    write_parameters(html, "Parameters", endpoint.parameters_in(&[Place::Path, Place::Query]));
    write_parameters(html, "Headers", endpoint.parameters_in(&[Place::Header]));
    write_parameters(html, "Fields of the JSON body", endpoint.parameters_in(&[Place::Body]));
    html.raw("<h4>Answers</h4>\n<ul class=\"answers\">\n<li><b class=\"good\">200</b> ");
    match endpoint.success {
        Success::Json { schema, .. } => html.link(schema, "code", schema),
        Success::Document => html.text("The document."),
        Success::Page => html.text("This page."),
    }
    html.raw("</li>\n");
    for failure in &endpoint.failures {
        html.raw("<li><b>");
        html.text(failure.status().as_str());
        html.raw("</b> ");
        let codes: Vec<&str> = failure.distinct().map(|error| error.code()).collect();
        html.link(failure.name, "code", &codes.join(", "));
        html.raw("</li>\n");
    }
    html.raw("</ul>\n");
    if let Success::Json { request, body, answer, .. } = endpoint.success {
        write_example(html, endpoint, request, body, answer);
    }
    html.raw("</section>\n");
}

fn write_parameters<'a>(html: &mut Html, title: &str, parameters: impl Iterator<Item = &'a Parameter>) {
    let mut parameters = parameters.peekable();
    if parameters.peek().is_some() {
        html.element("h4", "", |html| html.text(title));
        html.raw("\n<div class=\"rows\">\n");
        parameters.for_each(|parameter| write_parameter(html, parameter));
        html.raw("</div>\n");
    }
}

fn write_parameter(html: &mut Html, parameter: &Parameter) {
    let marks = |html: &mut Html| {
        html.element("span", " class=\"type\"", |html| shape_text(html, &parameter.shape));
        if parameter.required {
            html.element("span", " class=\"mark must\"", |html| html.text("required"));
        }
        if let Some(default) = &parameter.default {
            html.element("span", " class=\"mark\"", |html| {
                html.raw("default ");
                html.element("code", "", |html| html.text(default));
            });
        }
    };
    html.row(parameter.name, marks, parameter.text);
}

fn write_example(html: &mut Html, endpoint: &Endpoint, request: &str, body: Option<&str>, answer: &str) {
    let credential = if endpoint.access == Access::User { "$TOKEN" } else { "$KEY" };
    html.raw("<details class=\"example\" data-method=\"");
    html.text(endpoint.route.method.name());
    html.raw("\" data-request=\"");
    html.text(request);
    if let Some(body) = body {
        html.raw("\" data-body=\"");
        html.text(body);
    }
    html.raw("\"><summary>Example</summary>\n<pre tabindex=\"0\"><code>");
    html.text(&format!("curl -H \"Authorization: Bearer {credential}\" \\\n  \"$BASE{request}\""));
    if let Some(body) = body {
        html.text(&format!(" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{body}'"));
    }
    html.raw("</code></pre>\n<pre tabindex=\"0\"><code>");
    json_text(html, answer);
    html.raw("</code></pre>\n</details>\n");
}

fn write_failure(html: &mut Html, failure: &Failure) {
    html.raw("<section id=\"");
    html.text(failure.name);
    html.raw("\">\n<h3><span class=\"status\">");
    html.text(failure.status().as_str());
    html.raw("</span> ");
    let codes: Vec<&str> = failure.distinct().map(|error| error.code()).collect();
    html.element("code", "", |html| html.text(&codes.join(", ")));
    html.raw("</h3>\n");
    html.rich(failure.text);
    html.raw("<div class=\"rows\">\n");
    for header in &failure.headers {
        let marks = |html: &mut Html| {
            html.element("span", " class=\"type\"", |html| html.text("header"));
            if !header.always {
                html.element("span", " class=\"mark\"", |html| html.text("optional"));
            }
        };
        html.row(header.name, marks, header.text);
    }
    html.raw("</div>\n</section>\n");
}

fn write_schema(html: &mut Html, schema: &Schema) {
    html.raw("<section id=\"");
    html.text(schema.name);
    html.raw("\">\n<h3><code>");
    html.text(schema.name);
    html.raw("</code></h3>\n");
    html.rich(schema.text);
    html.raw("<div class=\"rows\">\n");
    for Field { name, shape, always, text } in &schema.fields {
        let marks = |html: &mut Html| {
            html.element("span", " class=\"type\"", |html| shape_text(html, shape));
            if !always {
                html.element("span", " class=\"mark\"", |html| html.text("optional"));
            }
        };
        html.row(name, marks, text);
    }
    let others = match schema.others {
        Others::Nothing => None,
        Others::Numbers => Some("number"),
        Others::Anything => Some("anything"),
    };
    if let Some(others) = others {
        let marks = |html: &mut Html| html.element("span", " class=\"type\"", |html| html.text(others));
        html.row("…", marks, "Any other name.");
    }
    html.raw("</div>\n</section>\n");
}
