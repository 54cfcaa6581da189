//! Assigns organizations to cells by weighted rendezvous hashing: every cell has a score for every organization, and
//! the highest score wins.
//!
//! A score depends on the organization, the cell and the cell's weight alone. So a cell that is added takes
//! organizations from the others and moves none between them, and one that is removed gives away only its own.
//!
//! Promise: A new cell takes its share and moves no organization between others; a removed one gives away only its own.
//! Control: the hash modulo the number of cells: hundreds move.

use std::collections::BTreeMap;

/// A cell for organizations.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedCell {
    /// Its name.
    pub name: String,
    /// Its share of all organizations relative to the other weights; above 0.
    pub weight: f64,
}

/// The index in `cells` of the winner for `organization`; `None` without cells. Of equal scores the first name wins.
#[must_use]
pub fn cell_of(organization: &str, cells: &[PlacedCell]) -> Option<usize> {
    let scored = cells.iter().enumerate().map(|(at, cell)| (score(organization, cell), &cell.name, at));
    // Never a NaN: the logarithm is of a number within (0, 1).
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)));
    best.map(|(_, _, at)| at)
}

/// Each of `organizations` with the name of its cell: its pin in `pins`, else the winner. Organizations without a cell
/// are left out.
#[must_use]
pub fn place<'a>(
    organizations: impl Iterator<Item = &'a str>,
    cells: &[PlacedCell],
    pins: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let placed = organizations.filter_map(|organization| {
        let cell = match pins.get(organization) {
            Some(pinned) => pinned.clone(),
            None => cells[cell_of(organization, cells)?].name.clone(),
        };
        Some((organization.to_owned(), cell))
    });
    placed.collect()
}

/// `-weight / ln(u)`, where `u`, within (0, 1), comes from the hash of both names: a cell with twice the weight wins
/// twice as often.
fn score(organization: &str, cell: &PlacedCell) -> f64 {
    let mut hasher = blake3::Hasher::new_derive_key("kith cells placement 1");
    hasher.update(&(organization.len() as u64).to_le_bytes());
    hasher.update(organization.as_bytes());
    hasher.update(cell.name.as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    // 53 bits, as many as the number holds, and a half, so that it is neither 0 nor 1.
    let unit = ((u64::from_le_bytes(first) >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    -cell.weight / unit.ln()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    type PlaceAll = fn(&[String], &[PlacedCell]) -> BTreeMap<String, String>;

    fn organizations(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("org_{number}")).collect()
    }

    fn cells(count: usize) -> Vec<PlacedCell> {
        (0..count).map(|number| PlacedCell { name: format!("cell{number}"), weight: 1.0 }).collect()
    }

    fn by_score(organizations: &[String], cells: &[PlacedCell]) -> BTreeMap<String, String> {
        place(organizations.iter().map(String::as_str), cells, &BTreeMap::new())
    }

    /// The control: the hash of the organization modulo the number of cells.
    fn by_remainder(organizations: &[String], cells: &[PlacedCell]) -> BTreeMap<String, String> {
        let cell = |organization: &String| {
            let hash = u64::from(blake3::hash(organization.as_bytes()).as_bytes()[0]);
            (organization.clone(), cells[(hash % cells.len() as u64) as usize].name.clone())
        };
        organizations.iter().map(cell).collect()
    }

    /// The wrong moves when one of `count` cells is added or removed.
    fn wrong_moves(place_all: PlaceAll, count: usize) -> Vec<String> {
        let organizations = organizations(4_000);
        let (all, removed) = (cells(count), cells(count)[count / 2].name.clone());
        let fewer: Vec<PlacedCell> = all.iter().filter(|cell| cell.name != removed).cloned().collect();
        let (with, without) = (place_all(&organizations, &all), place_all(&organizations, &fewer));
        let moved = |organization: &&String| with[*organization] != without[*organization];
        let mut wrong: Vec<String> = organizations
            .iter()
            .filter(moved)
            .filter(|organization| with[*organization] != removed)
            .map(|organization| format!("{organization} moved between cells that stay"))
            .collect();
        let (moves, fair) = (organizations.iter().filter(moved).count() as f64, 4_000.0 / count as f64);
        if moves < fair * 0.8 || moves > fair * 1.2 {
            wrong.push(format!("{moves} moves of {count} cells, not about {fair}"));
        }
        wrong
    }

    #[test]
    fn a_cell_added_takes_its_share_and_one_removed_gives_away_only_its_own() {
        for count in [3, 5, 8, 13] {
            assert_eq!(wrong_moves(by_score, count), [""; 0], "{count} cells");
            assert!(wrong_moves(by_remainder, count).len() > 100, "{count} cells: the control");
        }
    }

    #[test]
    fn the_same_names_give_the_same_map_in_any_order_and_in_every_version() {
        let (organizations, mut several) = (organizations(500), cells(4));
        let before = by_score(&organizations, &several);
        several.reverse();
        assert_eq!(by_score(&organizations, &several), before);
        // From another program with the same formula; a change here moves organizations in every installation with
        // cells.
        let first: Vec<&str> = (0..8).map(|number| before[&format!("org_{number}")].as_str()).collect();
        assert_eq!(first, FIRST_EIGHT);
        assert_eq!(cell_of("org_a", &[]), None);
    }

    const FIRST_EIGHT: [&str; 8] = ["cell3", "cell3", "cell1", "cell2", "cell2", "cell2", "cell0", "cell3"];

    #[test]
    fn shares_are_as_the_weights_and_pins_by_hand_are_kept() {
        let organizations = organizations(8_000);
        let several: Vec<PlacedCell> = [("a", 1.0), ("b", 2.0), ("c", 5.0)]
            .map(|(name, weight)| PlacedCell { name: name.to_owned(), weight })
            .into();
        let placed = by_score(&organizations, &several);
        for cell in &several {
            let share = placed.values().filter(|name| **name == cell.name).count() as f64 / 1_000.0;
            assert!((share / cell.weight - 1.0).abs() < 0.12, "{} has {share} of {}", cell.name, cell.weight);
        }
        let pins: BTreeMap<String, String> =
            [("org_1", "a"), ("org_2", "old")].map(|(org, cell)| (org.to_owned(), cell.to_owned())).into();
        let pinned = place(organizations.iter().map(String::as_str), &several, &pins);
        let differ: BTreeSet<&str> =
            pinned.iter().filter(|(org, cell)| placed[*org] != **cell).map(|(org, _)| org.as_str()).collect();
        assert!(differ.iter().all(|org| pins.contains_key(*org)), "{differ:?}");
        assert_eq!((pinned["org_1"].as_str(), pinned["org_2"].as_str()), ("a", "old"));
    }
}
