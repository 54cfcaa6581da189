//! Lines that people paste, with whom they mean.

use super::project;

/// A line that a person pastes, with what it means by the tables of a demo network.
#[derive(Debug)]
pub(crate) struct Pasted {
    pub(crate) form: String,
    /// The id of the person or the company, `None` if nobody and nothing is meant.
    pub(crate) expected: Option<String>,
    pub(crate) text: String,
}

impl Pasted {
    /// The lines in `fixtures/pasted` for `network`.
    pub(crate) fn list(network: &str) -> Vec<Self> {
        let text = std::fs::read_to_string(project(&format!("fixtures/pasted/{network}.tsv"))).unwrap();
        let line = |line: &str| {
            let mut cells = line.splitn(3, '\t').map(str::to_owned);
            let [form, expected, text] = std::array::from_fn(|_| cells.next().unwrap());
            Self { form, expected: Some(expected).filter(|id| id != "-"), text }
        };
        text.lines().map(line).collect()
    }
}
