//! Whole queries, with the terms that the parser finds in them.

use crate::graph::index::GraphIndex;
use crate::search::index::SearchIndex;
use crate::search::parse::parse;
use kith::sketch::Net;
use kith_embed::sketch::net;

fn around_ann() -> Net {
    net("
        member ann
        ann -> p1
        ann -> p2
        ann -> p3
        ann -> p4
        p4 (name: Robert Sean, position: Baker, city: Bern)
        p1 (name: Ada Lark, position: Recruiter, city: Oslo) @ acme (name: Acme Works, industry: Insurance)
        p2 (name: Ben Mich, position: Designer, city: Lima) @ cinder (name: Cinder Foods B.V., industry: Food)
        p3 (name: Eve Moss, position: Engineer, city: Bern) @ fjord (name: Fjord Assurance Labs, industry: Biotech)
    ")
}

/// The draft of `query`: excluded terms with a minus, past ones with a tilde, then the networks.
fn said(index: &GraphIndex, search: &SearchIndex, query: &str) -> String {
    let draft = parse(index, search, query);
    let terms = draft.terms.iter().map(|term| {
        let negated = if term.negated { "-" } else { "" };
        let past = if term.past { "~" } else { "" };
        format!("{negated}{past}{} {}", term.kind.name(), term.text)
    });
    let networks = draft.networks.iter().map(|network| format!("{network:?}").to_lowercase());
    terms.chain(networks).collect::<Vec<_>>().join("; ")
}

/// Checks the draft of each query in `table`.
#[track_caller]
pub(super) fn assert_said(table: &[(&str, &str)]) {
    let net = around_ann();
    let search = SearchIndex::build(&net);
    let wrong: Vec<_> = table
        .iter()
        .map(|(query, expected)| (query, said(&net, &search, query), expected))
        .filter(|(_, said, expected)| said != *expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_companies_do_is_a_line_of_business() {
    assert_said(&[
        ("designers at companies that make software", "role designers; industry software"),
        (
            "designers at a company that makes cars or machines",
            "role designers; industry cars; industry machines",
        ),
        ("board members of a business that sells insurance", "role board members; industry insurance"),
        ("designers at firms whose head office is in Oslo", "role designers; place oslo"),
        ("designers at a company that has its office in Lima", "role designers; place lima"),
        ("recruiters bij durfkapitalisten", "role recruiter; industry venture capitalists"),
        ("someone who knows their way around insurance", "industry insurance"),
        ("designers who work for the firm whose office is in Oslo", "role designers; place oslo"),
        ("designers at the firm", "role designers"),
        // The controls: its leader, a company of the network, companies by size, and people's work.
        ("head of the firm", "role head of general management"),
        ("designers at the Acme Works", "role designers; company acme works"),
        ("designers at companies that are not tiny", "role designers; -size tiny"),
        ("people who make software", "role software"),
    ]);
}

#[test]
fn what_is_not_wanted_is_said_in_many_ways() {
    assert_said(&[
        ("directivos en Lima que no sean de la banca", "seniority executive; place lima; -industry banking"),
        ("diseñadoras que no estén en Oslo", "role designer; -place oslo"),
        (
            "ontwerpers in Lima, en Acme Works hoeft er niet bij",
            "role designer; place lima; -company acme works",
        ),
        ("Ingenieure, Acme Works interessiert uns nicht", "role engineer; -company acme works"),
        ("not a single recruiter, designers please", "-role recruiter; role designers"),
        ("everyone in Oslo save the lawyers", "place oslo; -role lawyers"),
        ("Oslo yes, Lima no", "place oslo; -place lima"),
        ("leave recruiters and designers out", "-role recruiters; -role designers"),
        ("leave recruiters out of it", "-role recruiters"),
        ("engineers except in Oslo & Lima", "role engineers; -place oslo; -place lima"),
        ("engineers, with the recruiters filtered out", "role engineers; -role recruiters"),
        ("I don't want to see consultants", "-role consultants"),
        ("weder Berater noch Anwälte", "-role consultant; -role lawyer"),
        ("Ingenieure ohne Bezug zu Banken", "role engineer; -industry banking"),
        ("Ingenieure, die nie bei Acme Works waren", "role engineer; -~company acme works"),
        ("ontwerpers, Lima niet", "role designer; -place lima"),
        ("Designers. Oslo is out.", "role designers; -place oslo"),
        ("designers, recruiters are not an option", "role designers; -role recruiters"),
        ("Ingenieure, Oslo fällt raus", "role engineer; -place oslo"),
        ("ontwerpers maar liever geen Amerikanen", "role designer; -place amerikanen"),
        ("designers, rather not agency people", "role designers; -role agency"),
        ("designers, not at agencies", "role designers; -industry agencies"),
        ("avoid Acme Works; need designers in Oslo", "-company acme works; role designers; place oslo"),
        (
            "hoteles pequeños en Lima, nada de diseñadores",
            "industry hospitality; size pequenos; place lima; -role designer",
        ),
        ("chief executives in anything but insurance", "role chief executives; -industry insurance"),
        ("designers, nothing below 200 employees", "role designers; -size below 200 employees"),
        ("designers, nothing in Oslo", "role designers; -place oslo"),
        ("designers who have nothing to do with Acme Works", "role designers; -company acme works"),
        // The controls: a place that a company is run out of, and one of the callers'.
        ("who is out of Oslo", "place oslo"),
        ("designers my colleagues know but I do not", "role designers; organization"),
    ]);
}

#[test]
fn what_need_not_be_so_is_neither_wanted_nor_unwanted() {
    assert_said(&[
        ("it need not be a senior person, any designer in Oslo will do", "role designer; place oslo"),
        ("designers, not necessarily in Oslo", "role designers"),
        ("not necessarily senior designers in Oslo", "role designers; place oslo"),
        ("Ingenieure, nicht unbedingt in Oslo", "role engineer"),
        ("ingénieurs, pas forcément à Oslo", "role engineer"),
        // The control.
        ("not in Oslo, a senior person", "-place oslo; seniority senior"),
    ]);
}

#[test]
fn what_callers_say_of_themselves_is_not_asked_for() {
    assert_said(&[
        (
            "We're a climate fund closing our second vehicle. Looking for designers in Oslo.",
            "role designers; place oslo",
        ),
        ("I am a recruiter at Acme Works and would love to talk to engineers", "role engineers"),
        ("Our company in Bern ships food and needs a designer in Lima", "role designer; place lima"),
        ("We just opened an office in Bern. Who has been at Acme Works?", "~company acme works"),
        // The controls: their needs, and a request that comes first.
        ("we need recruiters in Oslo", "role recruiters; place oslo"),
        ("recruiters in Oslo we would love to talk to", "role recruiters; place oslo"),
        ("we are after recruiters", "role recruiters"),
        ("our designers in Oslo", "role designers; place oslo"),
    ]);
}

#[test]
fn a_verb_of_the_past_may_stand_behind_its_company() {
    assert_said(&[
        ("Ingenieure, die bei Acme Works gearbeitet haben", "role engineer; ~company acme works"),
        (
            "Ingenieure, die mal bei Acme Works waren und jetzt in Oslo sind",
            "role engineer; ~company acme works; place oslo",
        ),
        ("mensen die bij Acme Works hebben gewerkt", "~company acme works"),
        ("gente que trabajó en Acme Works", "~company acme works"),
        ("personas que han trabajado en Acme Works", "~company acme works"),
        ("gens qui étaient chez Acme Works", "~company acme works"),
        (
            "designers with time at Acme Works previously and now in Oslo",
            "role designers; ~company acme works; place oslo",
        ),
        ("elle dirigeait le marketing chez Acme Works", "~role head of marketing; ~company acme works"),
        ("was at Acme Works before moving into food", "~company acme works; industry food"),
        ("recruiters who started out as engineers", "role recruiters; ~role engineers"),
        ("exdiseñadores en Lima", "~role designer; place lima"),
        ("ex lamplighters in Oslo", "~role lamplighters; place oslo"),
        ("Leute, die als Designer angefangen haben, jetzt in Oslo", "~role designer; place oslo"),
        // The control: about a place.
        ("designers previously in Oslo", "role designers; place oslo"),
    ]);
}

#[test]
fn what_people_became_is_so_now() {
    assert_said(&[
        ("recruiters turned designers", "~role recruiters; role designers"),
        ("designers who became engineers", "~role designers; role engineers"),
        ("founders who were previously designers", "role founders; ~role designers"),
        ("one-time recruiters doing design these days", "~role recruiters; role design"),
        ("who quit Acme Works and joined Cinder Foods", "~company acme works; company cinder foods"),
        ("Gossamer veterans investing in Lima", "topic gossamer; role investing; place lima"),
        ("designers with prior jobs at Acme Works", "role designers; ~company acme works"),
        // The controls: nothing became of them, and a past that goes on.
        ("designers who turned up in Oslo", "role designers; place oslo"),
        ("formerly at Acme Works or Cinder Foods", "~company acme works; ~company cinder foods"),
    ]);
}

#[test]
fn who_knows_them_is_said_in_five_languages() {
    assert_said(&[
        ("our ambassadors know in Oslo", "place oslo; advocate"),
        ("unsere Fürsprecher kennen jemanden in Oslo", "place oslo; advocate"),
        ("wie kennen onze ambassadeurs in Oslo", "place oslo; advocate"),
        ("qui nos ambassadeurs connaissent à Oslo", "place oslo; advocate"),
        ("a quién conocen nuestros embajadores en Oslo", "place oslo; advocate"),
        ("designers I haven't spoken to", "role designers; -connections haven t spoken to"),
        ("engineers close to us", "role engineers; connections close to us"),
        ("Ingenieure, die wir noch nicht kontaktiert haben", "role engineer; -connections not asked yet"),
        (
            "ingenieros a quienes todavía no les hayamos pedido nada",
            "role engineer; -connections not asked yet",
        ),
    ]);
}

#[test]
fn which_of_us_knows_them_and_whom_nobody_asked_is_said_in_any_order() {
    assert_said(&[
        ("Wer von uns kennt einen Ingenieur in Oslo?", "role engineer; place oslo; organization"),
        ("Qui, dans l'équipe, connaît un ingénieur à Oslo ?", "role engineer; place oslo; organization"),
        ("¿Alguno de nosotros conoce gente en Acme Works?", "company acme works; organization"),
        ("Welke collega heeft een ingang bij Acme Works?", "company acme works; organization"),
        ("which of our colleagues know engineers", "role engineers; organization"),
        ("Ingenieure, die unsere Botschafter kennen", "role engineer; advocate"),
        ("quién de nuestros embajadores conoce ingenieros", "role engineer; advocate"),
        ("Lequel de nos ambassadeurs connaît un ingénieur", "role engineer; advocate"),
        ("kent een van onze ambassadeurs ingenieurs", "role engineer; advocate"),
        ("des ingénieurs à qui on n'a encore rien demandé", "role engineer; -connections not asked yet"),
        ("ingenieros que nadie de nosotros ha contactado", "role engineer; -connections not asked yet"),
        ("Ingenieure, die noch keiner von uns angesprochen hat", "role engineer; -connections not asked yet"),
        ("ingenieurs die we nog nooit hebben benaderd", "role engineer; -connections not asked yet"),
        ("engineers none of us has ever written to", "role engineers; -connections not asked yet"),
        ("whom did we already ask in Oslo", "connections already asked; place oslo"),
        // The control: nobody of us.
        ("Wer kennt einen Ingenieur in Oslo?", "role engineer; place oslo"),
    ]);
}

#[test]
fn the_opening_of_a_request_says_nothing() {
    assert_said(&[
        (
            "Ich würde mich freuen, wenn ihr mir Ingenieure in Oslo empfehlen könntet",
            "role engineer; place oslo",
        ),
        ("Hallo zusammen, ich hätte gerne Kontakt zu Leuten in Lima", "place lima"),
        ("me vendría bien hablar con una diseñadora en Lima", "role designer; place lima"),
        ("nous aurions besoin d'un contact chez Acme Works", "company acme works"),
        ("Serait-il possible d'être mise en relation avec un ingénieur ?", "role engineer"),
        ("I was zealously wondering whether someone in Oslo", "place oslo"),
        ("Ingenieure in Oslo, die abendlich gern zwitschern", "role engineer; place oslo"),
        ("Ingenieur:innen in Oslo, we are a fund in Lima", "role engineer; place oslo"),
        // The controls: the request itself is there.
        ("we are a fund in Lima", "role fund; place lima"),
        ("ik zou graag een lantaarnopsteker ontmoeten", "role lantaarnopsteker"),
        ("Zwitscherlinge", "topic zwitscherlinge"),
    ]);
}

#[test]
fn a_language_is_known_by_two_small_words_and_by_those_around_a_number() {
    assert_said(&[
        ("tout sauf des designers, à Lima", "-role designers; place lima"),
        ("fabricantes de más de 1000 trabajadores", "size más de 1000 trabajadores"),
        ("Hersteller mit über 1000 Angestellten", "size über 1000 Angestellten"),
        ("un ingénieur en fiscalité", "role engineer; role finance"),
        ("ex empleados de Acme Works en Lima", "~company acme works; place lima"),
        // The control: English.
        ("engineers in Lima", "role engineers; place lima"),
    ]);
}

#[test]
fn a_name_may_have_a_title_or_initials_or_be_short() {
    assert_said(&[
        ("Mr Lark", "name lark"),
        ("Frau Moss in Oslo", "name moss; place oslo"),
        ("A. Lark", "name ada lark"),
        ("Bob Sean", "name robert sean"),
        ("Ms De Quillfeather from Acme Works", "name de quillfeather; company acme works"),
        // The controls: nobody has that name.
        ("Z. Lark", "name lark"),
        ("ingenieros que no sean de la banca", "role engineer; -industry banking"),
    ]);
}

#[test]
fn codes_of_cities_count_in_capitals() {
    assert_said(&[
        ("marketers ATL", "role marketers; place atlanta"),
        ("designers by the sea", "role designers"),
        (
            "who runs business intelligence at Acme Works",
            "role head of business intelligence; company acme works",
        ),
        ("who runs hotels", "industry hotels"),
        (
            "designers without Zanzibaria or Acme Works",
            "role designers; -company zanzibaria; -company acme works",
        ),
        ("empresas pequeñas de software en Lima", "size pequenas; industry software; place lima"),
    ]);
}

#[test]
fn greetings_and_requests_are_no_terms() {
    assert_said(&[
        ("Hallo, kannst du mir bitte Ingenieure in Oslo zeigen?", "role engineer; place oslo"),
        ("Goedemorgen, ik ben op zoek naar een ontwerper in Lima", "role designer; place lima"),
        ("Bonjour, nous aimerions rencontrer des ingénieurs à Oslo", "role engineer; place oslo"),
        ("Buenos días, me gustaría hablar con una diseñadora en Lima", "role designer; place lima"),
    ]);
}

#[test]
fn in_another_language_a_word_is_mended_to_one_of_it_and_a_thing_keeps_its_name() {
    assert_said(&[
        ("Bucchhalterin in Oslo, bitte heute", "role accountant; place oslo"),
        ("acheteurs chez Fjord Assurance Labs", "role buyer; company fjord assurance labs"),
        ("ingenieros en Nueva York", "role engineer; place nueva york"),
        // Not "Mich", "Ben" or "haute".
        ("Wer kann mich heute mit Ingenieuren bekannt machen", "role engineer"),
        ("ik ben ontwerper en zoek ingenieurs", "role designer; role engineer"),
        ("Ingenieure in den Niederlanden", "role engineer; place niederlanden"),
        ("KMU in Oslo", "size kmu; place oslo"),
    ]);
}

#[test]
fn how_large_a_company_is_may_stand_behind_it() {
    assert_said(&[
        ("empresas pequeñas de Lima", "size pequenas; place lima"),
        ("pequeñas y medianas empresas", "size pequenas y medianas empresas"),
        ("mittelständische Firmen in Oslo", "size mittelstandische; place oslo"),
        ("designers at companies of 50 people at most", "role designers; size 50 people at most"),
        ("recruiters, headcount 11-50", "role recruiters; size headcount 11-50"),
        ("designers at firms that do not publish insurance", "role designers; -industry insurance"),
    ]);
}

#[test]
fn regions_and_cities_are_places_and_take_no_word_of_another_language() {
    assert_said(&[
        ("Ingenieure in Nordrhein-Westfalen", "role engineer; place nordrhein westfalen"),
        ("ontwerpers in Noord-Brabant", "role designer; place noord brabant"),
        ("designers in Ann Arbor", "role designers; place ann arbor"),
        // Iceland, not the islands of a region's English name.
        ("Wer kennt Ingenieure in Island", "role engineer; place island"),
        ("Firmen mit weniger als zehn Leuten", "size weniger als zehn Leuten"),
    ]);
}

#[test]
fn short_forms_are_read() {
    assert_said(&[
        ("hr ppl @ banks nl", "role hr; industry banks; place netherlands"),
        ("ex-gossamer pm", "~company gossamer; role pm"),
        ("sales rockstars emea", "role sales; place emea"),
        ("sr. acct mgr", "role sr acct mgr"),
        ("VP fin.", "role vp finance"),
        ("designers @ Acme Works", "role designers; company acme works"),
        ("designers w/o Acme Works", "role designers; -company acme works"),
        ("ops mgr, mfg, D.C.", "role ops mgr; industry mfg; place d c"),
    ]);
}

#[test]
fn a_company_is_called_by_its_name_without_a_legal_form_with_points() {
    assert_said(&[
        ("people at Cinder Foods", "company cinder foods"),
        ("Cinder Foods B.V.", "company cinder foods b v"),
        ("Cinder Foods BV", "company cinder foods bv"),
    ]);
}

#[test]
fn what_people_do_ends_where_their_employer_begins() {
    assert_said(&[
        ("someone who fixes gadgets on site for a hospital", "role fixes gadgets on site; industry hospital"),
        (
            "anyone who looks after pumps at a business that ships goods by sea",
            "role looks after pumps; industry ships goods by sea",
        ),
        (
            "somebody who fixes pumps on site and whose employer makes machines",
            "role fixes pumps on site; industry machines",
        ),
        ("founders in Oslo whose companies sell software", "role founders; place oslo; industry software"),
        ("the big bosses of game studios", "seniority executive; industry game studios"),
        ("people who choose the pump at big brewers", "role choose the pump; size big; industry brewers"),
        ("a woman who runs a bakery in Oslo", "role ceo; industry bakery; place oslo"),
        ("engineers living in Wetzlar or Soltau", "role engineers; place wetzlar; place soltau"),
    ]);
}

#[test]
fn a_short_word_with_a_capital_is_not_mended_to_another_one_of_english() {
    assert_said(&[
        ("designers for Moderna", "role designers; company moderna"),
        ("lawers in Philidelphia", "role lawyer; place philadelphia"),
        // The control: no capital.
        ("designers, moderna ones", "role designers; industry modern"),
    ]);
}
