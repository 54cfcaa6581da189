//! Folding, edit distance, match classes and the reading of handles.

use crate::oracle::{edit_distance, fold, handle_sent, match_class, plain};

#[test]
fn folded_text_has_no_marks_no_capitals_and_single_spaces() {
    let cases = [
        ("  Ana \t María ", "ana maria"),
        ("Åsa ÇELİK", "asa celik"),
        ("ﬁona Ⅷ", "fiona viii"),
        ("ΑΓΓΕΛΟΣ", "αγγελοσ"),
        ("Straße", "straße"),
        ("李\u{3000}明", "李 明"),
        ("e\u{301}\u{327}", "e"),
        ("ガ", "カ"),
        ("\u{301}", ""),
        ("a\u{a0}\u{2003}b", "a b"),
    ];
    for (text, folded) in cases {
        assert_eq!(fold(text), folded, "{text}");
    }
}

#[test]
fn plain_text_has_letters_of_any_keyboard() {
    for (text, typed) in
        [("Łódź Straße", "lodz strasse"), ("Þór Ægir Kılıç", "thor aegir kilic"), ("Œuvre đð", "oeuvre dd")]
    {
        assert_eq!(plain(text), typed, "{text}");
    }
}

#[test]
fn edit_distance_is_optimal_string_alignment() {
    let cases = [
        ("", "", 0),
        ("", "abc", 3),
        ("abc", "abc", 0),
        ("abc", "acb", 1),
        ("abcd", "acbd", 1),
        ("abcd", "badc", 2),
        // A swapped pair is not edited again: 3 here, where the unrestricted distance is 2.
        ("ca", "abc", 3),
        ("smith", "smyth", 1),
        ("smith", "smit", 1),
        ("smith", "xsmith", 1),
        ("kitten", "sitting", 3),
        ("李明", "明李", 1),
    ];
    for (a, b, distance) in cases {
        assert_eq!(edit_distance(a, b), distance, "{a} {b}");
        assert_eq!(edit_distance(b, a), distance, "{b} {a}");
    }
}

#[test]
fn a_name_matches_in_the_first_class_that_holds() {
    let cases = [
        ("ana maria lopez", "Ana María López", Some(1)),
        ("lopez ana maria", "Ana María López", Some(2)),
        ("lopez, ana maria", "Ana María López", Some(2)),
        ("ana maria. lopez", "Ana María López", Some(2)),
        ("an mar lop", "Ana María López", Some(3)),
        ("lo an", "Ana María López", Some(3)),
        ("ana", "Ana María López", Some(3)),
        // Two words of the query cannot begin the same word of the name.
        ("a an", "Ana López", None),
        ("ana a", "Ana Abel", Some(3)),
        ("a ana", "Ana Abel", Some(3)),
        ("ana ana", "Ana López", None),
        // Classes 1 to 3 come first, then typing slips: 4 to 7 letters one edit, 8 or more two.
        ("smyth", "Ann Smith", Some(4)),
        ("smtih", "Ann Smith", Some(4)),
        ("smiith", "Ann Smith", Some(4)),
        ("smth", "Ann Smith", Some(4)),
        ("sxyth", "Ann Smith", None),
        ("amn", "Ann Smith", None),
        ("an smyth", "Ann Smith", Some(4)),
        ("jonathna", "Jonathan", Some(4)),
        ("jonahtna", "Jonathan", Some(4)),
        ("xonahtna", "Jonathan", None),
        ("jonatxx", "Jonathan", None),
        // A slip is measured against the whole word: a prefix with a slip does not match.
        ("jomat", "Jonathan", None),
        // Lengths are those of the folded word of the query, in characters.
        ("ﬁma", "Fina", Some(4)),
        ("李明王張", "李明王趙", Some(4)),
        ("李明張", "李明趙", None),
        // A query without a word matches nobody.
        (",", "Ana", None),
        ("\u{301}", "Ana", None),
        ("bob", "Ana", None),
    ];
    for (query, name, class) in cases {
        assert_eq!(match_class(query, name), class, "{query} in {name}");
    }
}

#[test]
fn a_profile_url_is_read_for_its_handle() {
    let cases = [
        ("https://www.linkedin.com/in/Ana-Lopez", "Ana-Lopez"),
        ("http://linkedin.com/in/ana/", "ana"),
        ("https://de.linkedin.com/in/ana?locale=de", "ana"),
        ("HTTPS://WWW.LinkedIn.com/in/ana#top", "ana"),
        ("https://www.linkedin.com/in/jos%C3%A9/details/", "josé"),
        ("https://www.example.com/in/ana", "https://www.example.com/in/ana"),
        ("https://notlinkedin.com/in/ana", "https://notlinkedin.com/in/ana"),
        ("https://www.linkedin.com/company/acme", "https://www.linkedin.com/company/acme"),
        ("ana", "ana"),
    ];
    for (sent, handle) in cases {
        assert_eq!(handle_sent(sent), handle, "{sent}");
    }
}
