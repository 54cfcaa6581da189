//! Building blocks of the page, which escape all text.

use crate::api::schema::{Shape, Text};

/// HTML under construction.
#[derive(Debug, Default)]
pub struct Html(String);

impl Html {
    /// The HTML so far.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Appends markup as it is; never pass text from elsewhere.
    pub fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Appends a text.
    pub fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.raw("&amp;"),
                '<' => self.raw("&lt;"),
                '>' => self.raw("&gt;"),
                '"' => self.raw("&quot;"),
                '\'' => self.raw("&#39;"),
                _ => self.0.push(character),
            }
        }
    }

    /// Appends an element with `attributes` around what `content` appends.
    pub fn element(&mut self, name: &str, attributes: &str, content: impl FnOnce(&mut Self)) {
        self.raw(&format!("<{name}{attributes}>"));
        content(self);
        self.raw(&format!("</{name}>"));
    }

    /// Appends a link to a place on the page.
    pub fn link(&mut self, place: &str, class: &str, text: &str) {
        self.raw("<a class=\"");
        self.text(class);
        self.raw("\" href=\"#");
        self.text(place);
        self.raw("\">");
        self.text(text);
        self.raw("</a>\n");
    }

    /// Appends paragraphs: blank lines separate them, backticks mark code, asterisks emphasis.
    pub fn rich(&mut self, text: &str) {
        for paragraph in text.split("\n\n") {
            self.element("p", "", |html| html.inline(paragraph));
            self.raw("\n");
        }
    }

    fn inline(&mut self, text: &str) {
        for (place, part) in text.split('`').enumerate() {
            if place % 2 == 1 {
                self.element("code", "", |html| html.text(part));
                continue;
            }
            for (place, part) in part.split('*').enumerate() {
                if place % 2 == 1 {
                    self.element("em", "", |html| html.text(part));
                } else {
                    self.text(part);
                }
            }
        }
    }

    /// Appends a named thing: its name, the content of `marks`, and its description.
    pub fn row(&mut self, name: &str, marks: impl FnOnce(&mut Self), text: &str) {
        self.raw("<div class=\"row\"><div class=\"name\">");
        self.element("code", "", |html| html.text(name));
        marks(self);
        self.raw("</div><p>");
        self.inline(text);
        self.raw("</p></div>\n");
    }
}

/// The anchor of a group on the page.
#[must_use]
pub fn anchor(title: &str) -> String {
    title.to_lowercase().replace(|character: char| !character.is_ascii_alphanumeric(), "-")
}

/// Appends a description of a shape.
pub fn shape_text(html: &mut Html, shape: &Shape) {
    match shape {
        Shape::Text(text) => html.text(&text_words(text)),
        Shape::Choice(names) => {
            for (place, name) in names.iter().enumerate() {
                html.raw(if place == 0 { "" } else { " | " });
                html.element("code", "", |html| html.text(name));
            }
        }
        Shape::Whole(least, Some(u64::MAX) | None) => html.text(&format!("whole number from {least}")),
        Shape::Whole(least, Some(most)) => html.text(&format!("whole number, {least} to {most}")),
        Shape::Number => html.text("number"),
        Shape::Boolean => html.text("true or false"),
        Shape::True => html.text("true"),
        Shape::Schema(name) => html.link(name, "code", name),
        Shape::OneOfOrNull(shapes) => {
            for shape in shapes {
                shape_text(html, shape);
                html.text(" or ");
            }
            html.text("null");
        }
        Shape::List(least, most, item) => {
            html.text(&match (least, most) {
                (0, _) => "list of ".to_owned(),
                (_, None) => "list of one or more of ".to_owned(),
                (least, Some(most)) => format!("list of {least} to {most} of "),
            });
            shape_text(html, item);
        }
        Shape::Object(fields) => {
            html.text("objects with");
            for (place, field) in fields.iter().enumerate() {
                html.text(if place == 0 { " " } else { ", " });
                html.element("code", "", |html| html.text(field.name));
            }
        }
    }
}

fn text_words(text: &Text) -> String {
    let known = text.pattern.and_then(|pattern| pattern.strip_prefix('^'));
    let id = known.filter(|rest| rest.ends_with('_')).map(|prefix| format!("id, {prefix}…"));
    match (id, text.format, text.most) {
        (Some(id), ..) => id,
        (_, Some(format), _) => format.to_owned(),
        (_, _, Some(most)) => format!("text, {} to {most} characters", text.least),
        _ => "text".to_owned(),
    }
}

/// Appends compact JSON, indented, with highlighted names and texts.
pub fn json_text(html: &mut Html, json: &str) {
    let mut depth = 0_usize;
    let mut rest = json;
    while let Some(next) = rest.chars().next() {
        let length = if next == '"' { string_length(rest) } else { next.len_utf8() };
        let (token, after) = rest.split_at(length);
        let new_line = |html: &mut Html, depth: usize| html.raw(&format!("\n{}", "  ".repeat(depth)));
        match next {
            '"' => {
                let class = if after.starts_with(':') { " class=\"key\"" } else { " class=\"string\"" };
                html.element("span", class, |html| html.text(token));
            }
            '{' | '[' if after.starts_with(['}', ']']) => html.text(token),
            '}' | ']' if json[..json.len() - rest.len()].ends_with(['{', '[']) => html.text(token),
            '{' | '[' => {
                depth += 1;
                html.text(token);
                new_line(html, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(html, depth);
                html.text(token);
            }
            ',' => {
                html.text(token);
                new_line(html, depth);
            }
            ':' => html.text(": "),
            _ => html.text(token),
        }
        rest = after;
    }
}

/// The length in bytes of the string at the start of `json`, quotes included.
fn string_length(json: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in json.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !escaped => return at + 1,
            _ => escaped = byte == b'\\' && !escaped,
        }
    }
    json.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html_of(write: impl FnOnce(&mut Html)) -> String {
        let mut html = Html::default();
        write(&mut html);
        html.into_string()
    }

    #[test]
    fn all_text_is_escaped() {
        let awkward = "<a href=\"x\">'&";
        let escaped = "&lt;a href=&quot;x&quot;&gt;&#39;&amp;";
        assert_eq!(html_of(|html| html.text(awkward)), escaped);
        assert_eq!(
            html_of(|html| html.rich(&format!("`{awkward}`"))),
            format!("<p><code>{escaped}</code></p>\n")
        );
        assert!(html_of(|html| html.row(awkward, |_| {}, awkward)).matches(escaped).count() == 2);
        assert!(html_of(|html| html.link(awkward, awkward, awkward)).matches(escaped).count() == 3);
    }

    #[test]
    fn json_is_indented_and_its_letters_stay() {
        let json = r#"{"a":[1,{"b\"]":"x, y: {"}],"c":{},"d":[],"e":null}"#;
        let text = html_of(|html| json_text(html, json));
        let plain = text.replace("<span class=\"key\">", "").replace("<span class=\"string\">", "");
        let plain = plain.replace("</span>", "").replace("&quot;", "\"");
        let lines = ["{", "  \"a\": [", "    1,", "    {", "      \"b\\\"]\": \"x, y: {\"", "    }", "  ],"];
        let more = ["  \"c\": {},", "  \"d\": [],", "  \"e\": null", "}"];
        assert_eq!(plain.lines().collect::<Vec<_>>(), [&lines[..], &more[..]].concat());
    }
}
