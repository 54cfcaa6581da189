//! Reading words into items, one test per rule.

use super::*;
use crate::search::parse::tokens;
use kith::sketch::Net;
use kith_embed::sketch::net;

/// Words with several meanings: `mercury` has all but those of the lexicon, and each further word one fewer.
fn planets() -> Net {
    net("
        member m
        m -> p1
        m -> p2
        m -> p3
        m -> p4
        m -> p5
        m -> p6
        m -> p7
        m -> p8
        m -> p9
        p1 (name: Mercury Berg, position: Mercury, city: Mercury) @ c1 (name: Mercury, industry: Mercury)
        p2 (name: Jupiter Berg, city: Jupiter) @ c2 (name: Jupiter, industry: Jupiter)
        p3 (name: Saturn Berg) @ c3 (name: Saturn, industry: Saturn)
        p4 (name: Pluto Berg) @ c4 (name: Pluto)
        p5 (name: Ceres Berg)
        p6 (name: Eris Berg) @ c6 (name: Eris Labs)
        p7 (name: Human Resources, city: Recruiter) @ c7 (name: Pluto Berg)
        p8 (name: Kim Dahl, city: Saturn Labs) @ c8 (name: Saturn Labs)
        p9 (name: Lee Dahl) @ c9 (name: Software Engineer)
    ")
}

/// The senses of the words of `query`, without cues: `company, head, word`.
fn senses(search: &SearchIndex, query: &str) -> String {
    let shown = |item: Item| match item.sense {
        Sense::Cue(_) => None,
        Sense::Level(level) => Some(format!("level {}", LEXICON.levels[level].name)),
        Sense::Verb(level) => Some(format!("verb {}", LEXICON.levels[level].name)),
        Sense::Field(field, true) => Some(format!("field {}", LEXICON.fields[field].name)),
        Sense::Field(field, false) => Some(format!("talk of {}", LEXICON.fields[field].name)),
        Sense::Role => Some("role".to_owned()),
        Sense::Thing(kind) | Sense::Number(kind) => Some(kind.name().to_owned()),
        Sense::Size(_) => Some("size".to_owned()),
        Sense::Word => Some("word".to_owned()),
    };
    let items = read(search, &tokens::read(search, query), &[]);
    items.into_iter().filter_map(shown).collect::<Vec<_>>().join(", ")
}

#[test]
fn of_all_that_words_can_be_the_first_rule_that_holds_decides() {
    let net = planets();
    let search = SearchIndex::build(&net);
    for (rule, query, expected) in [
        ("a name follows", "named mercury", "name"),
        ("a name follows", "named mercury berg", "name"),
        ("a field follows a level", "head of human resources", "level head, field people"),
        ("a field follows a verb", "oversees human resources", "verb head, field people"),
        ("a company follows", "at mercury", "company"),
        ("an industry stands for its companies", "at mercury companies", "industry"),
        ("an industry stands for its companies", "at finance", "industry"),
        ("a place follows", "in mercury", "place"),
        ("a whole name, before a company", "pluto berg", "name"),
        ("a whole name, before a field", "human resources", "name"),
        ("a company of several words, before a place", "saturn labs", "company"),
        ("a company called as an occupation is none", "software engineer", "role"),
        ("an industry before a word for companies", "mercury companies", "industry"),
        ("an industry before a word for companies", "finance companies", "industry"),
        ("a role of the lexicon, before a place", "recruiter", "role"),
        ("a role of the lexicon, before an industry", "finance", "field finance"),
        ("a position of the network, before a place", "mercury", "role"),
        ("a place, before an industry", "jupiter", "place"),
        ("an industry, before a company", "saturn", "industry"),
        ("a company, before a name", "pluto", "company"),
        ("a word of names alone", "ceres", "name"),
        ("a word of names and of something else", "eris", "word"),
        ("nothing known", "xyzzy", "word"),
    ] {
        assert_eq!(senses(&search, query), expected, "{rule}: {query}");
    }
}

#[test]
fn what_is_expected_is_taken_only_if_the_words_can_be_it() {
    let net = planets();
    let search = SearchIndex::build(&net);
    for (query, expected) in [
        ("named fintech", "industry"),
        ("head of mercury", "level head, role"),
        ("at ceres", "name"),
        ("in pluto", "company"),
        ("at xyzzy", "company"),
        ("at xyzzy now", "word"),
    ] {
        assert_eq!(senses(&search, query), expected, "{query}");
    }
}

#[test]
fn a_line_of_business_that_nobody_here_is_in_is_none_if_titles_have_its_word() {
    let mobile =
        |beside: &str| net(&format!("member ann\nann -> p1\np1 (position: Director of Mobile){beside}"));
    for (beside, query, expected) in [
        ("", "mobile", "word"),
        // The controls: a company in that line, one before a word for companies, and a line whose word is in no title.
        (" @ acme (name: Acme, industry: Mobile Apps)", "mobile", "industry"),
        ("", "mobile companies", "industry"),
        ("", "insurance", "industry"),
    ] {
        let net = mobile(beside);
        assert_eq!(senses(&SearchIndex::build(&net), query), expected, "{query} {beside}");
    }
}

#[test]
fn a_role_is_a_level_then_an_occupation_then_a_field_then_a_verb() {
    let net = net("ann");
    let search = SearchIndex::build(&net);
    for (query, expected) in [
        ("lead", "level lead"),
        ("cfo", "role"),
        ("talent acquisition", "role"),
        ("marketing", "field marketing"),
        ("coding", "talk of engineering"),
        ("oversees", "verb head"),
    ] {
        assert_eq!(senses(&search, query), expected, "{query}");
    }
}
