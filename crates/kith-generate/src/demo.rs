//! The two networks of the demo, and their folders.

use crate::plan::{Compression, Plan};

/// The folders of the demo networks, in the order of [`demo_plans`].
pub const DEMO_FOLDERS: [&str; 2] = ["harbourlight", "fernhollow"];

/// The plans of an investor who looks for introductions and of a sales team that looks for buyers.
///
/// A change here changes the committed fixtures: write them again (`fixtures/README.md`).
#[must_use]
pub fn demo_plans() -> [Plan; 2] {
    [
        Plan {
            seed: 2_026_001,
            organization_id: "org_harbourlight".to_owned(),
            organization_name: "Harbourlight Ventures".to_owned(),
            organization_industry: "Venture Capital and Private Equity Principals".to_owned(),
            members: 92,
            advocates: 84,
            compression: Compression::Gzip,
            ..Plan::sized(4000, 60_000)
        },
        Plan {
            seed: 2_026_002,
            organization_id: "org_fernhollow".to_owned(),
            organization_name: "Fernhollow Robotics".to_owned(),
            organization_industry: "Robotics Engineering".to_owned(),
            members: 82,
            advocates: 76,
            compression: Compression::Gzip,
            ..Plan::sized(3000, 40_000)
        },
    ]
}
