//! Rows of source tables, written field by field so that each form of a missing value occurs.

use serde_json::Value;

use super::dice::Dice;

/// One JSON object of a table, under construction. Values are JSON text, so numbers stay as written.
pub(crate) struct Row(Vec<String>);

impl Row {
    pub(crate) fn new() -> Row {
        Row(Vec::new())
    }

    /// A text field.
    pub(crate) fn text(self, name: &str, value: &str) -> Row {
        self.raw(name, &Value::from(value).to_string())
    }

    /// A field whose value is JSON text already.
    pub(crate) fn raw(mut self, name: &str, json: &str) -> Row {
        self.0.push(format!("{}:{json}", Value::from(name)));
        self
    }

    /// An optional text field; without a value it is absent, null or empty.
    pub(crate) fn maybe_text(self, dice: &mut Dice, name: &str, value: Option<&str>) -> Row {
        match value {
            Some(value) => self.text(name, value),
            None => match dice.below(3) {
                0 => self.raw(name, "null"),
                1 => self.text(name, ""),
                _ => self,
            },
        }
    }

    /// An optional field of another kind; without a value it is absent or null.
    pub(crate) fn maybe_raw(self, dice: &mut Dice, name: &str, json: Option<&str>) -> Row {
        match json {
            Some(json) => self.raw(name, json),
            None if dice.chance(50) => self.raw(name, "null"),
            None => self,
        }
    }

    /// The row as a line.
    pub(crate) fn line(self, dice: &mut Dice) -> String {
        let mut fields = self.0;
        if dice.chance(20) {
            dice.shuffle(&mut fields);
        }
        format!("{{{}}}\n", fields.join(dice.pick(&[",", ", "])))
    }
}

/// One of the values in this many of a hundred cases, otherwise none.
pub(crate) fn maybe<'a>(dice: &mut Dice, percent: usize, values: &[&'a str]) -> Option<&'a str> {
    dice.chance(percent).then(|| dice.pick(values))
}

/// A breakdown as JSON text: known and unknown factors; zero, negative and long numbers; any key order.
pub(crate) fn breakdown(dice: &mut Dice) -> String {
    let factors = [
        "currentCompanyMatch",
        "pastCompanyOverlap",
        "sharedAccelerator",
        "sameCity",
        "industryTypeMatch",
        "newFactor",
        "zFactor",
        "été",
    ];
    let numbers = [
        "10",
        "20",
        "20.0",
        "0",
        "-5",
        "0.5",
        "1.50",
        "1e2",
        "0.0",
        "12345678901234567890123",
        "9007199254740993",
    ];
    let how_many = dice.below(4);
    let chosen = dice.some(&factors, how_many);
    let space = dice.pick(&["", "", " "]);
    let mut fields: Vec<String> =
        chosen.into_iter().map(|name| format!("\"{name}\":{space}{}", dice.pick(&numbers))).collect();
    if dice.chance(25) {
        fields.push(format!("\"pastCompanyName\":{space}\"Old \\\"Co\\\" Ltd\""));
        dice.shuffle(&mut fields);
    }
    format!("{{{space}{}{space}}}", fields.join(","))
}

/// A timestamp, from few, so that ties occur: other offsets, finer parts, and one before 1970.
pub(crate) fn timestamp(dice: &mut Dice) -> &'static str {
    dice.pick(&[
        "2024-03-01T12:00:00Z",
        "2024-03-01T13:00:00+01:00",
        "2024-03-01T12:00:00.1234567Z",
        "2024-03-01T12:00:00.1239Z",
        "2024-03-01T07:30:00.5-05:30",
        "2023-12-31T23:59:59.999999+00:00",
        "2024-01-01T01:30:00.25+02:00",
        "1969-12-31T23:59:59.9995Z",
    ])
}
