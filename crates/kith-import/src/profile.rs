//! Handles in profiles' URLs.

use kith::query::handle::handle_of;

/// The handle in a profile's URL: `/in/HANDLE` on any `linkedin.com` host, with any scheme, case, percent-encoding and
/// end. `None` for any other URL.
pub(crate) fn handle_in(url: &str) -> Option<String> {
    let url = url.trim();
    let handle = handle_of(url);
    // Anything else comes back unchanged.
    let is_handle = handle != url && !handle.trim().is_empty() && !handle.contains(['/', ',']);
    let is_plain = !handle.chars().any(char::is_control);
    (is_handle && is_plain).then(|| handle.trim().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_write_the_address_of_a_profile_is_one_handle() {
        for url in [
            "https://www.linkedin.com/in/arjun-mehta",
            "https://www.linkedin.com/in/ArjunMehta/",
            "http://linkedin.com/in/arjun-mehta/",
            "www.linkedin.com/in/arjun-mehta?trk=x",
            "HTTPS://DE.LinkedIn.com/in/Arjun-Mehta/de#top",
            " https://www.linkedin.com/in/arjun%2Dmehta ",
        ] {
            let handle = if url.contains("ArjunMehta") { "arjunmehta" } else { "arjun-mehta" };
            assert_eq!(handle_in(url).as_deref(), Some(handle), "{url}");
        }
        assert_eq!(
            handle_in("https://www.linkedin.com/in/jos%C3%A9-%F0%9F%9A%80/").as_deref(),
            Some("josé-🚀")
        );
    }

    #[test]
    fn another_address_is_no_handle() {
        for url in [
            "",
            "arjun-mehta",
            "https://www.linkedin.com/company/acme",
            "https://www.linkedin.com/in/",
            "https://www.linkedin.com/in/%20",
            "https://www.linkedin.com/in/broken%C3",
            "https://www.linkedin.com/in/a%2Fb",
            "https://example.com/in/arjun-mehta",
            "https://linkedin.com.example.com/in/arjun-mehta",
        ] {
            assert_eq!(handle_in(url), None, "{url}");
        }
    }
}
