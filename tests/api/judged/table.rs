//! Scores as an aligned Markdown table.

use std::collections::BTreeMap;

use crate::judged::metrics::{Score, mean};
use crate::judged::set::{Half, Judged};

/// The scores of some engines, each with those of all queries in their order.
pub(crate) struct Scores {
    pub(crate) queries: Vec<Judged>,
    pub(crate) engines: Vec<(&'static str, Vec<Score>)>,
}

impl Scores {
    /// The mean score of `engine` over the queries chosen; `None` if no query is.
    pub(crate) fn of(&self, engine: &str, chosen: impl Fn(&Judged) -> bool) -> Option<Score> {
        let (_, scores) = self.engines.iter().find(|(name, _)| *name == engine).unwrap();
        let pairs = self.queries.iter().zip(scores).filter(|(query, _)| chosen(query));
        mean(&pairs.map(|(_, score)| *score).collect::<Vec<_>>())
    }

    /// One row for each half and class, and one for all classes of a half; recall, nDCG at 10 and MRR of each
    /// engine.
    pub(crate) fn table(&self) -> String {
        let mut header = vec!["half".to_owned(), "class".to_owned(), "queries".to_owned()];
        let heads = |name: &str| [format!("{name} R@10"), format!("{name} MRR"), format!("{name} nDCG")];
        header.extend(self.engines.iter().flat_map(|(name, _)| heads(name)));
        let mut rows = vec![header];
        let classes: BTreeMap<&str, ()> = self.queries.iter().map(|it| (it.class.as_str(), ())).collect();
        for half in Half::BOTH {
            rows.extend(classes.keys().map(|class| self.row(half, class)));
            rows.push(self.row(half, ALL));
        }
        aligned(&rows)
    }

    fn row(&self, half: Half, class: &str) -> Vec<String> {
        let is_in = |query: &Judged| query.half == half && (class == ALL || query.class == class);
        let count = self.queries.iter().filter(|query| is_in(query)).count();
        let mut row = vec![half.name().to_owned(), class.to_owned(), count.to_string()];
        for (engine, _) in &self.engines {
            let score = self.of(engine, is_in);
            let show =
                |part: fn(Score) -> f64| score.map_or("-".into(), |score| format!("{:.3}", part(score)));
            row.extend([show(|score| score.recall), show(|score| score.mrr), show(|score| score.ndcg)]);
        }
        row
    }
}

/// The class of the rows that sum up.
const ALL: &str = "**all**";

/// Rows as a Markdown table, the first as its head, columns padded; texts to the left but figures, from
/// the third column on, to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let rule = widths.iter().enumerate().map(|(column, &width)| match column {
        0 | 1 => "-".repeat(width),
        _ => format!("{}:", "-".repeat(width - 1)),
    });
    let mut lines: Vec<Vec<String>> = rows.to_vec();
    lines.insert(1, rule.collect());
    let show = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    lines.iter().map(show).collect()
}

mod tests {
    use super::Scores;
    use crate::judged::metrics::Score;
    use crate::judged::set::judged_queries;

    #[test]
    fn a_table_has_a_row_for_each_half_and_class_and_lines_up() {
        let mut queries = judged_queries();
        queries.retain(|query| query.network == "harbourlight" && query.class == "typo");
        assert_eq!(queries.len(), 4);
        let score = |recall| Score { recall, mrr: recall / 2.0, ndcg: recall / 4.0 };
        let halves = [1.0, 0.0, 0.5, 0.25].map(score).to_vec();
        let scores = Scores { queries, engines: vec![("vector", halves)] };
        let expected = "\
| half     | class   | queries | vector R@10 | vector MRR | vector nDCG |
| -------- | ------- | ------: | ----------: | ---------: | ----------: |
| tune     | typo    |       2 |       0.750 |      0.375 |       0.188 |
| tune     | **all** |       2 |       0.750 |      0.375 |       0.188 |
| held_out | typo    |       2 |       0.125 |      0.062 |       0.031 |
| held_out | **all** |       2 |       0.125 |      0.062 |       0.031 |
";
        assert_eq!(scores.table(), expected);
        assert_eq!(scores.of("vector", |_| false), None);
    }
}
