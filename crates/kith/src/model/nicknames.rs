//! Words of people's names that are compared apart: short forms of given names, titles, degrees, pronouns.

/// A name, and its short forms. Forms that stand for several names are left out, but for the commonest.
const NICKNAMES: &[(&str, &[&str])] = &[
    ("abigail", &["abby"]),
    ("alexander", &["alex", "sasha", "alec"]),
    ("andrew", &["andy", "drew"]),
    ("anthony", &["tony"]),
    ("barbara", &["barb"]),
    ("benjamin", &["ben", "benny"]),
    ("catherine", &["kate", "cathy", "katherine", "kathy", "katie", "kathryn"]),
    ("charles", &["charlie", "chuck"]),
    ("christopher", &["topher"]),
    ("daniel", &["dan", "danny"]),
    ("david", &["dave"]),
    ("deborah", &["debbie", "deb", "debra"]),
    ("dorothy", &["dot", "dottie"]),
    ("edward", &["ed", "eddie", "ted"]),
    ("elizabeth", &["liz", "beth", "betty", "lizzie", "eliza"]),
    ("francis", &["frank"]),
    ("frederick", &["fred", "freddie"]),
    ("gregory", &["greg"]),
    ("henry", &["harry", "hank"]),
    ("jacob", &["jake"]),
    ("james", &["jim", "jimmy", "jamie"]),
    ("jennifer", &["jen", "jenny"]),
    ("jeffrey", &["jeff"]),
    ("jessica", &["jess"]),
    ("johannes", &["hannes"]),
    ("john", &["jack", "johnny"]),
    ("jonathan", &["jon"]),
    ("joseph", &["joe", "joey"]),
    ("joshua", &["josh"]),
    ("kenneth", &["ken", "kenny"]),
    ("lawrence", &["larry"]),
    ("leonard", &["len", "lenny"]),
    ("margaret", &["maggie", "meg", "peggy"]),
    ("matthew", &["matt"]),
    ("michael", &["mike", "mick"]),
    ("nathaniel", &["nathan", "nate"]),
    ("nicholas", &["nick", "nicky"]),
    ("pamela", &["pam"]),
    ("patricia", &["trish", "patty"]),
    ("peter", &["pete"]),
    ("philip", &["phil", "phillip"]),
    ("rebecca", &["becky", "becca"]),
    ("richard", &["rick", "dick", "rich"]),
    ("robert", &["bob", "rob", "bobby", "robbie"]),
    ("ronald", &["ron", "ronnie"]),
    ("samantha", &["sammy"]),
    ("samuel", &["sam"]),
    ("stephen", &["steve", "steven"]),
    ("susan", &["sue", "susie"]),
    ("theodore", &["theo"]),
    ("thomas", &["tom", "tommy"]),
    ("timothy", &["tim"]),
    ("victoria", &["vicky"]),
    ("vincent", &["vince"]),
    ("walter", &["walt"]),
    ("william", &["bill", "will", "billy", "liam"]),
    ("zachary", &["zach", "zack"]),
];

/// Words before a name that are none of it.
pub const TITLES: &[&str] = &[
    "mr",
    "mrs",
    "ms",
    "miss",
    "mx",
    "dr",
    "prof",
    "professor",
    "sir",
    "dame",
    "herr",
    "frau",
    "hr",
    "fr",
    "dipl",
    "ing",
    "mag",
    "rev",
    "capt",
    "col",
    "lt",
];
/// Words behind a name that are none of it.
pub const CREDENTIALS: &[&str] = &[
    "mba", "phd", "md", "msc", "bsc", "ma", "ba", "bs", "ms", "jd", "llm", "cpa", "cfa", "pmp", "esq", "mph",
    "dds", "rn", "pe", "cissp", "mfa", "meng", "edd", "shrm", "cfp", "fca", "acca", "dphil", "emba", "sphr",
    "csm", "faia",
];
/// What people write behind their names to say how they are spoken of.
pub const PRONOUNS: &[&str] = &["she", "her", "hers", "he", "him", "his", "they", "them", "theirs"];

/// The name that `given` stands for, or `given`.
#[must_use]
pub fn root_of(given: &str) -> &str {
    NICKNAMES.iter().find(|(_, forms)| forms.contains(&given)).map_or(given, |(name, _)| *name)
}

/// The ways to say `given`, plain: itself, the name that it stands for, and the short forms of that name.
pub fn forms_of(given: &str) -> impl Iterator<Item = &str> {
    let root = root_of(given);
    let forms = NICKNAMES.iter().find(|(name, _)| *name == root).map_or(&[][..], |(_, forms)| forms);
    [given]
        .into_iter()
        .chain([root].into_iter().chain(forms.iter().copied()).filter(move |form| *form != given))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_short_form_stands_for_one_name_and_is_none_itself() {
        let mut seen = HashSet::new();
        for (name, forms) in NICKNAMES {
            assert_eq!(root_of(name), *name);
            assert!(forms.iter().all(|form| seen.insert(*form) && root_of(form) == *name), "{name}");
        }
        assert_eq!(root_of("nobody"), "nobody");
    }
}
