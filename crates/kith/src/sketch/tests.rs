//! Parsing sketches, and refusing faulty ones.

use super::*;
use crate::model::warmness::Warmness;

/// The score of the edge `from → to`, and its breakdown; `None` if there is no edge.
fn edge<'n>(net: &'n Net, from: &str, to: &str) -> Option<(Option<u8>, &'n str)> {
    let (from, to) = (net.person(from), net.person(to));
    let score = |score: Warmness| (score.score(), net.breakdown(from, to, score));
    net.data.edges.out.row(from).iter().find(|&(end, _)| end == to).map(|(_, it)| score(it))
}

#[test]
fn a_sketch_is_the_network_it_reads_as() {
    let net = net("
        member bea, ann as 9            # user_9 comes before user_bea
        advocate zoe of ann
        advocate zoe of bea pending
        ann -80-> bob @ acme -?-> cay -5 school-> ann
        cay -> ann
        intro to bob by ann
    ");
    let edges = [("ann", "bob"), ("bob", "cay"), ("cay", "ann"), ("bob", "ann")];
    let expected = [Some((Some(80), "")), Some((None, "")), Some((Some(5), r#"{"school":1}"#)), None];
    assert_eq!(edges.map(|(from, to)| edge(&net, from, to)), expected);
    // As every build adds it, for accepted advocates alone.
    assert_eq!([edge(&net, "ann", "zoe"), edge(&net, "bea", "zoe")], [Some((None, "")), None]);
    let [ann, bea] = ["ann", "bea"].map(|name| net.member(name));
    assert_eq!([net.find_user("user_9"), net.find_user("user_bea")], [Some(ann), Some(bea)]);
    assert_eq!([ann, bea].map(|member| net.member_name(member)), ["ann", "bea"]);
    assert_eq!(net.name(net.person("zoe")), "zoe");
    assert_eq!(net.find_person("person_zoe"), Some(net.person("zoe")));
    assert_eq!(net.employee_count(net.company("acme")), 1);
    assert_eq!(["bob", "cay"].map(|name| net.intro_requests_to(net.person(name)).len()), [1, 0]);
}

#[test]
fn fields_and_opportunities_stand_in_their_tables() {
    let sketch = "
        member ann
        kim (name: Kim Berg, city: Oslo) @ acme (industry: Steel)
        company acme (name: Acme Inc), void
        opportunity g1 for kim by ann via ann, kim
        opportunity g2 for kim by ann
    ";
    let Dataset { people, companies, opportunities, .. } = dataset(sketch);
    assert_eq!(people.names.iter().collect::<Vec<_>>(), ["ann", "Kim Berg"]);
    assert_eq!(people.handles.iter().collect::<Vec<_>>(), ["ann", "kim"]);
    assert_eq!([people.cities.get(0), people.cities.get(1)], ["", "Oslo"]);
    assert_eq!(companies.names.iter().collect::<Vec<_>>(), ["Acme Inc", "void"]);
    assert_eq!([companies.industries.get(0), companies.industries.get(1)], ["Steel", ""]);
    assert_eq!(opportunities.ids.iter().collect::<Vec<_>>(), ["ghost_g1", "ghost_g2"]);
    assert_eq!(opportunities.path_strengths.len(), 2);
}

/// The control: a faulty sketch is refused, and the fault names the line.
#[test]
fn what_cannot_be_read_is_refused_with_its_line() {
    for (line, fault) in [
        ("-> bob", "expected a name at `-> bob`"),
        ("ann ->", "expected a name at ``"),
        ("ann bob", "`bob` is too much"),
        ("ann -80 bob", "no `->` ends the arrow"),
        ("ann -warm-> bob", "`warm` is neither a score nor `?`"),
        ("ann -300-> bob", "`300` is neither a score nor `?`"),
        ("bob (city Oslo)", "no `:` in the field `city Oslo`"),
        ("bob (city: Oslo", "no `)` ends the fields"),
        ("ann @ globex", "ann has another value, acme, in a field said before"),
        ("member bob as ann", "ann is that member already"),
        ("advocate zoe for ann", "expected `of` at `for ann`"),
        ("advocate zoe of bob", "bob is no member, or is only declared below"),
    ] {
        let text = format!("member ann\nann @ acme\n  {line}");
        let expected = format!("line 3 of the sketch, `{line}`: {fault}");
        assert_eq!(Sketch::read(&text).err(), Some(expected));
    }
}

/// The control: a table that a build refuses is refused here too.
#[test]
fn what_no_build_takes_is_refused() {
    for (text, fault) in [
        ("member ann\nann -101-> bob", "expected a whole number from 0 to 100, got 101"),
        ("member ann, ann as 2", "ann"),
        ("member ann\nadvocate zoe of ann maybe", "maybe"),
        ("member ann (shoes: 7)", "people has no field shoes"),
    ] {
        let refused = Sketch::read(text).and_then(|sketch| sketch.build()).err().unwrap_or_default();
        assert!(refused.starts_with("the sketch: ") && refused.contains(fault), "{text}: {refused}");
    }
}
