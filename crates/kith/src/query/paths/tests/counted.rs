//! Paths too cold for the page are counted unread: the total equals that of a page with room for all, and the paths are
//! its first ones.
//!
//! Promise: What is too cold for the page is counted all the same: the total is that of a page with room for all, whose
//!   first paths those of the page are.
//! Control: an oracle with a rule broken, in the same trial.
//! Also in: `tests/api/props/mod.rs`.

use super::*;
use crate::sketch::net;

/// More paths than a page holds before it refuses any.
const MEMBERS: usize = 90;

/// Everybody knows tip, and so do their advocates; some of these are members, and so is top, whom the same people know.
fn crowd() -> Net {
    let mut text = String::from("member top\n");
    (0..MEMBERS).for_each(|number| text += &format!("member m{number}\n"));
    for number in 0..MEMBERS {
        let (score, other) = (100 - number, (number * 7 + 1) % MEMBERS);
        text += &format!("m{number} -{score}-> tip\nm{number} -{score}-> top\n");
        text += &format!("advocate a{number} of m{number}\nadvocate a{number} of m{other}\n");
        text +=
            &format!("m{number} -{other}-> a{number}\na{number} -{score}-> tip\na{number} -{score}-> top\n");
    }
    // Members who are advocates: no advocate path leads over them.
    text += "advocate m83 of m4\nadvocate m85 of m6\nadvocate a7 of top\n";
    net(&text)
}

#[test]
fn what_is_too_cold_for_the_page_is_counted_all_the_same() {
    let net = crowd();
    let some: Vec<String> = (0..MEMBERS).step_by(2).map(|number| format!("m{number}")).collect();
    let some: Vec<&str> = some.iter().map(String::as_str).collect();
    for target in ["tip", "top"] {
        for types in [&[Direct][..], &[Advocate], &[Direct, Advocate], &PathType::ALL] {
            for sort in PathSort::ALL {
                for asked in [to(target).types(types), to(target).types(types).from(&some)] {
                    let asked = Ask { sort, ..asked };
                    let whole = asked.page(5_000, 0).answer(&net);
                    assert_eq!(whole.paths.len() as u64, whole.total);
                    for limit in [1, 20, 50] {
                        let first = asked.page(limit, 0).answer(&net);
                        assert_eq!(first.total, whole.total, "{target} {types:?} {sort:?} {limit}");
                        assert_eq!(first.paths[..], whole.paths[..whole.paths.len().min(limit as usize)]);
                    }
                }
            }
        }
    }
}
