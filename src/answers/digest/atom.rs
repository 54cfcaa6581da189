//! A digest as an Atom feed (RFC 4287). All texts of the network are escaped; addresses are relative to the feed's.

use crate::digest::News;
use crate::digest::section::{DigestSection, FeedEntry};
use crate::model::time::Timestamp;
use crate::model::unseen::marked_unseen;
use crate::openapi::page_parts::Html;
use crate::query::handle::percent_encode;
use crate::query::members::data_as_of;

/// The page, from the address of the feed.
const PAGE: &str = "../../explore#/";
/// The context from which the keys of the hashes are derived.
const CONTEXT: &str = "kith feed v1";
/// Stands for a character that nobody sees, or that XML cannot hold.
const REPLACED: char = '\u{fffd}';

impl News<'_> {
    /// The feed of `reader`, whom nobody else is called. `networks` names the two that are compared: an entry of the same
    /// two keeps its id.
    pub(crate) fn atom<'s>(&'s self, reader: &str, networks: &str) -> String {
        let organization = &self.index.data.organization;
        let of_section = |section: &'s DigestSection<'_>| {
            section.feed_entries().map(move |(entry, cells)| (section, entry, cells))
        };
        let entries: Vec<_> = self.sections.iter().flat_map(of_section).collect();
        let of_data = data_as_of(self.index).unwrap_or(Timestamp { seconds: 0, nanos: 0 });
        let newest = entries.iter().filter_map(|(_, entry, _)| entry.at).fold(of_data, Timestamp::max);
        let totals = self.sections.iter().map(|section| format!(" {}: {}.", section.title, section.total));
        let mut feed = Html::default();
        feed.raw("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
        feed.element("feed", " xmlns=\"http://www.w3.org/2005/Atom\"", |feed| {
            text(feed, "id", &urn(&[&organization.id, reader]));
            text(feed, "title", &format!("{}: what is new", organization.name));
            text(feed, "subtitle", &format!("{}.{}", self.title(), totals.collect::<String>()));
            text(feed, "updated", &newest.to_rfc3339_ms());
            feed.element("author", "", |author| text(author, "name", &organization.name));
            link(feed, "self", "application/atom+xml", "news.atom");
            link(feed, "alternate", "text/html", &format!("{PAGE}changes"));
            for (section, entry, [about, first, second]) in &entries {
                feed.raw("\n");
                feed.element("entry", "", |feed| {
                    let FeedEntry { of, place: [screen, id], at } = entry;
                    // An entry without a time of its own is of these two networks alone.
                    let networks = if at.is_none() { networks } else { "" };
                    text(feed, "id", &urn(&[&organization.id, reader, networks, of]));
                    text(feed, "title", &format!("{}: {about}", section.title));
                    text(feed, "updated", &at.unwrap_or(of_data).to_rfc3339_ms());
                    link(feed, "alternate", "text/html", &format!("{PAGE}{screen}{}", below(id)));
                    let [_, heading, other] = section.headings.map(in_lower_case);
                    text(feed, "content", &format!("{heading}: {first}. {other}: {second}."));
                });
            }
        });
        feed.into_string()
    }
}

/// Appends the element `name` around `content`.
fn text(feed: &mut Html, name: &str, content: &str) {
    let seen = |(character, is_unseen): (char, bool)| {
        let is_kept = !is_unseen && !character.is_control() && !matches!(character, '\u{fffe}' | '\u{ffff}');
        if is_kept { character } else { REPLACED }
    };
    let content: String = marked_unseen(content).map(seen).collect();
    feed.element(name, "", |element| element.text(&content));
}

fn link(feed: &mut Html, relation: &str, kind: &str, address: &str) {
    feed.raw(&format!("<link rel=\"{relation}\" type=\"{kind}\" href=\"{address}\"/>"));
}

/// `/id`, percent-encoded; empty without an id.
fn below(id: &str) -> String {
    if id.is_empty() { String::new() } else { format!("/{}", percent_encode(id)) }
}

/// `BEST PATH` as `Best path`.
fn in_lower_case(heading: &str) -> String {
    let (first, rest) = heading.split_at(heading.len().min(1));
    format!("{first}{}", rest.to_lowercase())
}

/// The name that a hash of `parts` gives: a UUID of version 8 (RFC 9562).
fn urn(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
    for part in parts {
        hasher.update(part.as_bytes()).update(&[0]);
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let [a, b, c, d, e] = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    format!("urn:uuid:{a}-{b}-{c}-{d}-{e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_escaped_and_holds_no_character_that_xml_cannot() {
        let mut feed = Html::default();
        text(&mut feed, "title", "<b>\"A\" & 'B'</b>\u{0}\u{b}\u{ffff}\u{202e}]]>\u{1f600}");
        let replaced = "\u{fffd}".repeat(4);
        assert_eq!(
            feed.into_string(),
            format!(
                "<title>&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;{replaced}]]&gt;\u{1f600}</title>"
            )
        );
    }

    #[test]
    fn an_id_is_the_same_each_time_and_another_for_other_parts() {
        let urns = [urn(&["a", "b"]), urn(&["ab", ""]), urn(&["a", "b", ""]), urn(&["b", "a"])];
        let distinct: std::collections::BTreeSet<_> = urns.iter().collect();
        assert_eq!((distinct.len(), &urns[0]), (4, &urn(&["a", "b"])));
        assert_eq!((urns[0].len(), &urns[0][23..24]), (45, "8"), "{}", urns[0]);
    }

    #[test]
    fn an_id_of_a_person_leads_to_the_page_as_the_page_writes_it() {
        assert_eq!([below("person_a1"), below("p#\"ü"), below("")], ["/person_a1", "/p%23%22%C3%BC", ""]);
    }
}
