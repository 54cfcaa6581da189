//! Compares printed output with the shown output; `…` stands for anything.

use serde_json::{Deserializer, Value};

/// Stands for what is left out.
const REST: &str = "…";

/// How what was printed differs from what is shown; `None` if it does not.
pub(crate) fn difference(language: &str, shown: &str, printed: &str) -> Option<String> {
    if language == "json" {
        let (shown, printed) = match (values(&marked(shown)), values(printed)) {
            (Ok(shown), Ok(printed)) => (shown, printed),
            (Err(error), _) => return Some(format!("what is shown is no JSON: {error}")),
            (_, Err(error)) => return Some(format!("what was printed is no JSON: {error}")),
        };
        return of_lists("", &shown, &printed);
    }
    let lines = |text: &str| -> Vec<String> {
        text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect()
    };
    let (shown, printed) = (lines(shown), lines(printed));
    let is_rest = |line: &String| line.trim() == REST;
    let is_same = |shown: &String, printed: &String| is_text(shown, printed);
    match aligned(&shown, &printed, &is_rest, &is_same) {
        Ok(()) => None,
        Err(at) => {
            Some(format!("shown and not printed: {}", shown.get(at).map_or("(the end)", String::as_str)))
        }
    }
}

fn values(text: &str) -> Result<Vec<Value>, serde_json::Error> {
    Deserializer::from_str(text).into_iter().collect()
}

/// `text` with a value for each bare `…`: that of a field, an entry of a list, or a whole field.
fn marked(text: &str) -> String {
    let (mut marked, mut inside) = (String::new(), Vec::new());
    let (mut is_text, mut is_escaped) = (false, false);
    for c in text.chars() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => is_text = !is_text,
            '{' | '[' if !is_text => inside.push(c),
            '}' | ']' if !is_text => drop(inside.pop()),
            '…' if !is_text => {
                let is_field = inside.last() == Some(&'{') && !marked.trim_end().ends_with(':');
                marked.push_str(if is_field { "\"…\":null" } else { "\"…\"" });
                continue;
            }
            _ => {}
        }
        marked.push(c);
    }
    marked
}

fn of_lists(place: &str, shown: &[Value], printed: &[Value]) -> Option<String> {
    let is_rest = |value: &Value| *value == REST;
    let is_same = |shown: &Value, printed: &Value| of_values("", shown, printed).is_none();
    let at = aligned(shown, printed, &is_rest, &is_same).err()?;
    let nearest = shown
        .get(at)
        .zip(printed.get(at))
        .and_then(|(shown, printed)| of_values(&format!("{place}[{at}]"), shown, printed));
    Some(nearest.unwrap_or_else(|| format!("{place}: {} shown, {} printed", shown.len(), printed.len())))
}

fn of_values(place: &str, shown: &Value, printed: &Value) -> Option<String> {
    match (shown, printed) {
        (Value::Object(shown), Value::Object(printed)) => {
            for (name, value) in shown.iter().filter(|(name, _)| *name != REST) {
                let Some(other) = printed.get(name) else {
                    return Some(format!("{place}.{name} was not printed"));
                };
                if let Some(difference) = of_values(&format!("{place}.{name}"), value, other) {
                    return Some(difference);
                }
            }
            let more = printed.keys().find(|name| !shown.contains_key(*name));
            more.filter(|_| !shown.contains_key(REST)).map(|name| format!("{place}.{name} is not shown"))
        }
        (Value::Array(shown), Value::Array(printed)) => of_lists(place, shown, printed),
        (one, _) if *one == REST => None,
        (Value::String(one), Value::String(other)) if is_text(one, other) => None,
        (one, other) if one == other => None,
        (one, other) => Some(format!("{place}: {one} is shown, {other} was printed")),
    }
}

/// Whether `printed` has the parts of `shown` between its `…`, in their order.
fn is_text(shown: &str, printed: &str) -> bool {
    let parts: Vec<&str> = shown.split(REST).collect();
    let [first, between @ .., last] = parts.as_slice() else { return shown == printed };
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    for part in between {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether each entry of `shown` stands for one of `printed`, and those that are a rest for any number.
///
/// # Errors
/// Returns the place of the furthest entry of `shown` that was come to.
fn aligned<T>(
    shown: &[T],
    printed: &[T],
    is_rest: &dyn Fn(&T) -> bool,
    is_same: &dyn Fn(&T, &T) -> bool,
) -> Result<(), usize> {
    // The ends of `printed` that the entries so far may reach.
    let mut reached = vec![false; printed.len() + 1];
    reached[0] = true;
    for (place, entry) in shown.iter().enumerate() {
        let mut next = vec![false; printed.len() + 1];
        for at in 0..=printed.len() {
            if is_rest(entry) {
                next[at] = reached[at] || (at > 0 && next[at - 1]);
            } else if at > 0 {
                next[at] = reached[at - 1] && is_same(entry, &printed[at - 1]);
            }
        }
        if !next.contains(&true) {
            return Err(place);
        }
        reached = next;
    }
    if reached[printed.len()] { Ok(()) } else { Err(shown.len()) }
}

/// `shown`, each time with another of its values or lines changed: what a comparison has to find.
pub(crate) fn changed(language: &str, shown: &str) -> Vec<String> {
    if language != "json" {
        let lines: Vec<&str> = shown.lines().collect();
        let with = |place: usize| {
            let mut wrong: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            wrong[place] = format!("x{}", wrong[place]);
            wrong.join("\n")
        };
        let is_said = |line: &str| !line.trim().is_empty() && line.trim() != REST;
        return (0..lines.len()).filter(|&place| is_said(lines[place])).map(with).collect();
    }
    let values = values(&marked(shown)).unwrap();
    let mut count = 0;
    for value in &values {
        leaves(&mut value.clone(), &mut |_| count += 1);
    }
    let with = |wanted: usize| {
        let mut place = 0;
        let mut text = String::new();
        for value in &values {
            let mut value = value.clone();
            leaves(&mut value, &mut |leaf| {
                if place == wanted {
                    *leaf = wrong(leaf);
                }
                place += 1;
            });
            text.push_str(&value.to_string());
        }
        text
    };
    (0..count).map(with).collect()
}

/// Calls `with` on each value that holds no others and does not stand for anything.
fn leaves(value: &mut Value, with: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(fields) => {
            fields.iter_mut().filter(|(name, _)| *name != REST).for_each(|(_, value)| leaves(value, with));
        }
        Value::Array(entries) => entries.iter_mut().for_each(|value| leaves(value, with)),
        Value::String(text) if text == REST => {}
        leaf => with(leaf),
    }
}

fn wrong(leaf: &Value) -> Value {
    match leaf {
        Value::String(text) => Value::String(format!("x{text}")),
        Value::Number(number) => Value::from(number.as_f64().unwrap_or_default() + 1.0),
        Value::Bool(is) => Value::Bool(!is),
        _ => Value::Bool(true),
    }
}

#[test]
fn a_comparison_passes_over_what_is_left_out_and_nothing_else() {
    let same = |language, shown, printed| difference(language, shown, printed).is_none();
    assert!(same("text", "a\n…\nd e…g\n", "a\nb\nc\nd efg\n"));
    assert!(same("text", "…\nz", "z\n") && same("text", "a\n…", "a\n"));
    assert!(
        !same("text", "a\nd", "a\nb\nd") && !same("text", "a\n…\nd", "a\nb") && !same("text", "a", "a\nb")
    );
    assert!(!same("text", "a…c", "abd") && !same("text", "a…b…c", "acb"));
    let printed = r#"{"a": 1, "b": [1, 2, 3], "c": "x\"…y"} {"d": {}}"#;
    assert!(same("json", printed, printed));
    assert!(
        same("json", r#"{"a": 1, …} …"#, printed)
            && same("json", r#"{"b": [1, …, 3], …} {"d": {…}}"#, printed)
    );
    assert!(same("json", r#"{"b": […], "c": "x…y", "a": …} {…}"#, printed));
    for wrong in [
        r#"{"a": 1} …"#,
        r#"{"a": 2, …} …"#,
        r#"{"b": [1, 2], …} …"#,
        r#"{"b": [1, 3, …], …} …"#,
        r#"{"e": null, …} …"#,
        r#"{…}"#,
        r#"{"#,
    ] {
        assert!(!same("json", wrong, printed), "{wrong}");
    }
    assert_eq!(changed("json", r#"{"a": 1, "b": ["…", true, …], …}"#).len(), 2);
}
