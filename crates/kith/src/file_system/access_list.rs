//! Reads what Windows grants to whom, in its text form: `O:S-1-5-21-…D:PAI(A;OICI;FA;;;SY)(A;;0x1200a9;;;BU)`.
//!
//! Promise: A file that every user of the machine may write, or read, is seen, however its access list says so; what cannot be
//!   read counts as open.
//! Control: the access list of a user's own folder.

use crate::file_system::Use;

/// The groups that contain every user, or everyone who can log in: by their names in the text form, and by their
/// numbers.
const EVERYBODY: [&str; 20] = [
    "WD",
    "AU",
    "BU",
    "IU",
    "NU",
    "AN",
    "BG",
    "DU",
    "DG",
    "LG",
    "PU",
    "S-1-1-0",
    "S-1-2-0",
    "S-1-2-1",
    "S-1-5-2",
    "S-1-5-4",
    "S-1-5-7",
    "S-1-5-11",
    "S-1-5-32-545",
    "S-1-5-32-546",
];
/// How the numbers of the users and the guests of a domain end.
const DOMAIN: [&str; 2] = ["-513", "-514"];
/// The bits of an entry by which a file is written: data, attributes, its end, its access list, its owner, all of them.
const WRITING: u32 = 0x0000_0006 | 0x0000_0150 | 0x0001_0000 | 0x0004_0000 | 0x0008_0000 | 0x5000_0000;
/// The bits by which it is read.
const READING: u32 = 0x0000_0001 | 0x8000_0000 | 0x1000_0000;

/// The owner and the access list of a file, as text.
pub(crate) struct AccessList<'a>(pub(crate) &'a str);

impl AccessList<'_> {
    /// Whether every user of the machine has the access `what`. Ignores entries that deny access, so that a file counts
    /// as open rather than as closed.
    pub(crate) fn others_may(&self, what: Use) -> bool {
        let asked = match what {
            Use::Write => WRITING,
            Use::ReadOrWrite | Use::Any => WRITING | READING,
        };
        let Some((_, list)) = self.0.split_once("D:") else { return true };
        let (flags, entries) = list.split_once('(').unwrap_or((list, ""));
        if flags.contains("NO_ACCESS_CONTROL") {
            return true;
        }
        entries.split('(').filter(|entry| !entry.is_empty()).any(|entry| is_open(entry, asked))
    }
}

/// Whether the entry `A;flags;rights;;;who)` lets everybody do what the bits `asked` stand for.
fn is_open(entry: &str, asked: u32) -> bool {
    let parts: Vec<&str> = entry.trim_end_matches(')').split(';').collect();
    let [kind, flags, rights, _, _, who, ..] = parts[..] else { return true };
    let is_everybody = EVERYBODY.contains(&who)
        || who.starts_with("S-1-5-21-") && DOMAIN.iter().any(|end| who.ends_with(end));
    let grants = matches!(kind, "A" | "OA" | "XA" | "ZA");
    // What is only handed down to files in a folder is seen at those.
    let is_of_this = flags.as_bytes().chunks(2).all(|flag| flag != b"IO");
    grants && is_everybody && is_of_this && bits(rights) & asked != 0
}

/// The bits of `rights`: a number, or letters by twos. Unknown ones are all of them.
fn bits(rights: &str) -> u32 {
    if let Some(number) = rights.strip_prefix("0x") {
        return u32::from_str_radix(number, 16).unwrap_or(u32::MAX);
    }
    if let Ok(number) = rights.parse() {
        return number;
    }
    let of = |letters: &[u8]| match letters {
        b"GX" => 0x2000_0000,
        b"GR" => 0x8000_0000,
        b"RC" => 0x0002_0000,
        b"FR" => 0x0012_0089,
        b"FX" => 0x0012_00A0,
        b"LC" => 0x0000_0004,
        b"SW" => 0x0000_0008,
        b"RP" => 0x0000_0010,
        b"WP" => 0x0000_0020,
        b"LO" => 0x0000_0080,
        b"CC" => 0x0000_0001,
        _ => u32::MAX,
    };
    rights.as_bytes().chunks(2).map(of).fold(0, |all, one| all | one)
}

/// The list that replaces `found` to leave a file to its owner, the system and its administrators; files created in a
/// folder inherit it. `None` if `found` names no owner.
pub(crate) fn of_owner_alone(found: &str) -> Option<String> {
    let owner = found.strip_prefix("O:")?;
    let end = ["G:", "D:", "S:"].iter().filter_map(|part| owner.find(part)).min().unwrap_or(owner.len());
    let owner = Some(&owner[..end]).filter(|owner| !owner.is_empty())?;
    Some(format!("D:P(A;OICI;FA;;;{owner})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_user_may_do_is_seen_and_what_cannot_be_read_counts_as_open() {
        let profile =
            "O:S-1-5-21-7-8-9-1001D:(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;S-1-5-21-7-8-9-1001)";
        for (list, written, read) in [
            (profile, false, false),
            ("O:BAD:PAI(A;;FA;;;OW)", false, false),
            ("O:BAD:P", false, false),
            // A folder at the top of a disk, and a file that was created there.
            ("O:BAD:AI(A;OICIID;FA;;;BA)(A;ID;0x1301bf;;;AU)(A;OICIIOID;SDGXGWGR;;;AU)", true, true),
            ("O:BAD:AI(A;ID;0x1200a9;;;BU)(A;ID;FA;;;SY)", false, true),
            ("O:BAD:(A;;FR;;;WD)", false, true),
            ("O:BAD:(A;;FX;;;WD)", false, false),
            ("O:BAD:(A;;GA;;;S-1-5-11)", true, true),
            ("O:BAD:(A;;FW;;;S-1-5-21-7-8-9-513)", true, true),
            ("O:BAD:(A;;FA;;;S-1-5-21-7-8-9-1513)", false, false),
            ("O:BAD:(A;OICIIO;GA;;;WD)(A;;FA;;;BA)", false, false),
            ("O:BAD:(D;;FA;;;WD)", false, false),
            ("O:BAD:(XA;;FA;;;WD;(TRUE))", true, true),
            ("O:BAD:NO_ACCESS_CONTROL", true, true),
            ("O:BAD:(A;;??;;;WD)", true, true),
            ("O:BAD:(A;;FA)", true, true),
            ("O:BA", true, true),
            ("", true, true),
        ] {
            let list_of = AccessList(list);
            assert_eq!(
                (list_of.others_may(Use::Write), list_of.others_may(Use::Any)),
                (written, read),
                "{list}"
            );
            assert_eq!(list_of.others_may(Use::ReadOrWrite), read, "{list}");
        }
    }

    #[test]
    fn a_file_is_left_to_its_owner() {
        let open = "O:S-1-5-21-7-8-9-1001D:AI(A;ID;FA;;;WD)";
        let own = of_owner_alone(open).unwrap();
        assert_eq!(own, "D:P(A;OICI;FA;;;S-1-5-21-7-8-9-1001)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)");
        assert!(AccessList(open).others_may(Use::Write) && !AccessList(&own).others_may(Use::Any));
        assert_eq!((of_owner_alone("O:D:"), of_owner_alone("D:(A;;FA;;;WD)")), (None, None));
    }
}
