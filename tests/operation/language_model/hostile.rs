//! A model that writes anything gets a legal draft through, or nothing.

use kith_server::language_model::answer;
use kith_server::search::conditions::{Draft, NetworkKind, TERM_CHARS_MAX, TERMS_MAX};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

const MUTATIONS: u32 = 10_000;

fn legal() -> Value {
    json!({
        "terms": [
            { "kind": "role", "text": "head of finance", "negated": false, "past": true },
            { "kind": "place", "text": "Zürich", "negated": true, "past": false },
        ],
        "networks": ["advocate", "user"],
    })
}

/// Whether `draft` keeps to everything its type promises.
fn holds_all_bounds(draft: &Draft) -> bool {
    let terms = draft.terms.iter().all(|term| {
        let length = term.text.chars().count();
        (1..=TERM_CHARS_MAX).contains(&length)
            && term.text.trim() == term.text
            && !term.text.chars().any(char::is_control)
    });
    let mut networks = draft.networks.clone();
    networks.sort_unstable();
    networks.dedup();
    terms
        && draft.terms.len() <= TERMS_MAX
        && networks.len() == draft.networks.len()
        && networks.len() <= NetworkKind::ALL.len()
}

struct Dice(ChaCha8Rng);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound.max(1)
    }

    fn text(&mut self) -> String {
        let pieces = [
            "role",
            "company",
            "user",
            "x",
            " ",
            "",
            "\u{0}",
            "\n",
            "\u{202e}",
            "é",
            "日本",
            "all people",
            "\\",
        ];
        let count = [0, 1, 1, 1, 2, 5, 40, 200][self.below(8)];
        (0..count).map(|_| pieces[self.below(pieces.len())]).collect()
    }

    fn value(&mut self) -> Value {
        match self.below(9) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.0.next_u64()),
            3 => json!(-1e300),
            4 => json!([]),
            5 => json!({}),
            6 => legal()["terms"][0].clone(),
            7 => json!(vec![legal()["terms"][1].clone(); self.below(20)]),
            _ => json!(self.text()),
        }
    }

    /// Changes one place of `value`, at any depth.
    fn mutate(&mut self, value: &mut Value) {
        let choice = self.below(6);
        match value {
            Value::Object(fields) if choice > 0 && !fields.is_empty() => {
                let place = self.below(fields.len());
                let Some(name) = fields.keys().nth(place).cloned() else { return };
                match choice {
                    1 if self.below(4) == 0 => drop(fields.remove(&name)),
                    2 if self.below(4) == 0 => drop(fields.insert(self.text(), self.value())),
                    _ => self.mutate(&mut fields[&name]),
                }
            }
            Value::Array(values) if choice > 0 && !values.is_empty() => {
                let place = self.below(values.len());
                match choice {
                    1 => drop(values.remove(place)),
                    2 => (0..self.below(14)).for_each(|_| values.push(values[place].clone())),
                    _ => self.mutate(&mut values[place]),
                }
            }
            Value::String(text) if choice > 1 => *text = self.text(),
            Value::Bool(said) if choice > 1 => *said = !*said,
            other => *other = self.value(),
        }
    }

    /// Changes one character of `text`.
    fn scratch(&mut self, text: &str) -> String {
        let place = self.below(text.chars().count());
        let with = ['{', '}', '[', '"', '\\', ',', '\u{0}', '9', ' '][self.below(9)];
        text.chars().enumerate().map(|(at, said)| if at == place { with } else { said }).collect()
    }
}

#[test]
fn whatever_a_model_writes_is_a_legal_draft_or_refused() {
    let mut dice = Dice(ChaCha8Rng::seed_from_u64(39));
    let (mut taken, mut changed, mut refused) = (0, 0, 0);
    let plain = answer::read(&legal().to_string()).unwrap();
    for _ in 0..MUTATIONS {
        let mut value = legal();
        (0..=dice.below(4)).for_each(|_| dice.mutate(&mut value));
        let mut text = value.to_string();
        if dice.below(5) == 0 {
            text = dice.scratch(&text);
        }
        match answer::read(&text) {
            Ok(draft) => {
                assert!(holds_all_bounds(&draft), "{text}");
                taken += 1;
                changed += usize::from(draft != plain);
            }
            Err(_) => refused += 1,
        }
    }
    // Both ways are taken often, so neither is tested by name only.
    assert!(taken > 500 && changed > 500 && refused > 500, "{taken} {changed} {refused}");
}

/// The control: drafts that break a bound are seen.
#[test]
fn a_draft_past_its_bounds_is_caught() {
    let plain = answer::read(&legal().to_string()).unwrap();
    let edited = |edit: &dyn Fn(&mut Draft)| {
        let mut draft = plain.clone();
        edit(&mut draft);
        holds_all_bounds(&draft)
    };
    assert!(edited(&|_| {}));
    assert!(!edited(&|draft| draft.terms[0].text.clear()));
    assert!(!edited(&|draft| draft.terms[0].text = "x".repeat(TERM_CHARS_MAX + 1)));
    assert!(!edited(&|draft| draft.terms[0].text.push('\u{7}')));
    assert!(!edited(&|draft| draft.terms[0].text.push(' ')));
    assert!(!edited(&|draft| draft.terms = vec![draft.terms[0].clone(); TERMS_MAX + 1]));
    assert!(!edited(&|draft| draft.networks = vec![NetworkKind::User; 2]));
}
