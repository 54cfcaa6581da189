//! The requests with a golden answer.

use crate::oracle::{Caller, Caps};

/// A request to the tiny network.
#[derive(Debug)]
pub(crate) struct Case {
    /// The file with its answer, without `.json`.
    pub(crate) golden: &'static str,
    /// The user whose token it carries; with none it carries the organization's key.
    user: Option<&'static str>,
    /// Decoded.
    params: &'static [(&'static str, &'static str)],
    /// `company_candidates`, `edges_per_target`, `edges_per_connector`; `None` for the defaults.
    bounds: Option<[usize; 3]>,
}

impl Case {
    pub(crate) fn caller(&self) -> Caller {
        self.user.map_or(Caller::Organization, |user| Caller::User(user.to_owned()))
    }

    pub(crate) fn params(&self) -> Vec<(String, String)> {
        self.params.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    pub(crate) fn caps(&self) -> Caps {
        let default = Caps::default();
        self.bounds.map_or(default.clone(), |[company_candidates, edges_per_target, edges_per_connector]| {
            Caps { company_candidates, edges_per_target, edges_per_connector, ..default }
        })
    }
}

const fn key(golden: &'static str, params: &'static [(&'static str, &'static str)]) -> Case {
    Case { golden, user: None, params, bounds: None }
}

const fn token(
    golden: &'static str,
    user: &'static str,
    params: &'static [(&'static str, &'static str)],
) -> Case {
    Case { golden, user: Some(user), params, bounds: None }
}

const fn bounded(
    golden: &'static str,
    bounds: [usize; 3],
    params: &'static [(&'static str, &'static str)],
) -> Case {
    Case { golden, user: None, params, bounds: Some(bounds) }
}

const PIA: (&str, &str) = ("prospectLinkedinId", "pia-weiss");
const QUE: (&str, &str) = ("prospectName", "lefevre, quentin");
const MILL: (&str, &str) = ("prospectCompany", "copper mill");
const ALL: (&str, &str) = ("limit", "50");

/// Every golden answer's request.
pub(crate) const CASES: &[Case] = &[
    // Person mode: by handle, by name; each type by itself.
    key("pia", &[PIA]),
    key("que", &[QUE]),
    key("pia-direct", &[PIA, ("connectionTypes", "direct")]),
    key("pia-advocate", &[PIA, ("connectionTypes", "advocate")]),
    key("pia-second-degree", &[PIA, ("connectionTypes", "second_degree")]),
    key("pia-advocate-second-degree", &[PIA, ("connectionTypes", "advocate_second_degree")]),
    key(
        "pia-two-types",
        &[PIA, ("connectionTypes", "advocate_second_degree,direct"), ("connectionTypes", "direct")],
    ),
    // Pages.
    key("pia-first-page", &[PIA, ("limit", "5")]),
    key("pia-second-page", &[PIA, ("limit", "5"), ("offset", "5")]),
    key("pia-last-page", &[PIA, ("limit", "5"), ("offset", "15")]),
    key("pia-page-that-ends-the-list", &[PIA, ("limit", "7"), ("offset", "10")]),
    key("pia-past-the-end", &[PIA, ("offset", "17")]),
    // The caller.
    token("pia-me", "user_cai", &[PIA, ("scope", "me")]),
    token("pia-organization-by-token", "user_cai", &[PIA, ("scope", "organization"), ("limit", "1")]),
    token("pia-me-but-from-others", "user_cai", &[PIA, ("scope", "me"), ("fromUserIds", "user_ana")]),
    key("pia-from-two", &[PIA, ("fromUserIds", "user_cai,person_ben")]),
    key("ben-from-others", &[("prospectName", "Ben O'Brien"), ("fromUserIds", "user_ben,user_cai")]),
    // People who were already asked for, and how the answer says so.
    key("rui", &[("prospectLinkedinId", "https://pt.linkedin.com/in/Rui-Magalhaes/")]),
    key("tom", &[("prospectName", "TOM")]),
    // Company mode.
    key("mill", &[MILL, ALL]),
    key("mill-with-asked", &[MILL, ALL, ("includeIntroRequested", "true")]),
    key("mill-second-page", &[MILL, ("limit", "10"), ("offset", "10")]),
    token("mill-me", "user_ben", &[("prospectCompany", "copper-mill"), ("scope", "me")]),
    key("lantern-advocate", &[("prospectCompany", "Lanternworks"), ("connectionTypes", "advocate")]),
    // Nobody there, nothing to get there by.
    key("nobody", &[("prospectName", "Nobody Atall")]),
    key("no-handle", &[("prospectLinkedinId", "nobody-at-all")]),
    key("no-company", &[("prospectCompany", "Nowhere")]),
    key("sol-without-paths", &[("prospectName", "Соломія Бондар")]),
    // Names: misspelt, by beginnings, by an accent left out.
    key("que-swapped-letters", &[("prospectName", "lefvere"), ("limit", "1")]),
    key("pia-beginnings", &[("prospectName", "p w"), ("limit", "1")]),
    key("pia-most-edges", &[("prospectName", "p"), ("limit", "1")]),
    key("hal", &[("prospectLinkedinId", "HAL-ITO")]),
    // Bounds: met exactly, and with an edge left out by each.
    bounded("pia-bounds-met", [500, 8, 3], &[PIA]),
    bounded("pia-edges-per-target", [500, 5, 64], &[PIA]),
    bounded("pia-edges-per-connector", [500, 256, 1], &[PIA]),
    bounded("pia-direct-is-not-cut", [500, 1, 1], &[PIA, ("connectionTypes", "direct,advocate")]),
    bounded("pia-second-degree-bounds-met", [500, 8, 2], &[PIA, ("connectionTypes", "second_degree")]),
    bounded("mill-one-candidate", [1, 256, 64], &[MILL, ("limit", "1")]),
    bounded("mill-two-candidates", [2, 256, 64], &[MILL, ("limit", "1")]),
    bounded("mill-two-of-three", [2, 256, 64], &[MILL, ("limit", "1"), ("includeIntroRequested", "true")]),
    Case {
        bounds: Some([500, 1, 1]),
        ..token("pia-nobody-is-never-cut", "user_cai", &[PIA, ("scope", "me"), ("fromUserIds", "user_ana")])
    },
];
