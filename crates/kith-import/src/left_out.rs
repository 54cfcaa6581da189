//! People whom a holder withholds: by the manifest, and by the rows that the manifest names.

use std::collections::HashSet;

use crate::contact::Contact;
use crate::identity::company_key::company_key;
use crate::identity::name::compared;
use crate::interaction::Party;
use crate::plan::{ImportPlan, LeaveOut};
use kith::model::text::fold;

/// Whether the holder withholds one of the handles and addresses `keys`, in the manifest or by another row.
pub(crate) fn is_kept_back<'k>(
    plan: &ImportPlan,
    left_out: &[HashSet<String>],
    holder: u32,
    mut keys: impl Iterator<Item = &'k str>,
) -> bool {
    let Some(owner) = plan.holders.get(holder as usize) else { return false };
    let (out, known) = (&owner.leave_out, &left_out[holder as usize]);
    let is_own =
        |key: &str| owner.emails.iter().any(|own| own == key) || owner.handle.as_deref() == Some(key);
    let is_out = |key: &str| !is_own(key) && (known.contains(key) || is_key_left_out(out, key));
    *out != LeaveOut::default() && keys.any(is_out)
}

/// Whether the holder keeps back one of `parties`.
pub(crate) fn is_party_kept_back<'p>(
    plan: &ImportPlan,
    left_out: &[HashSet<String>],
    holder: u32,
    mut parties: impl Iterator<Item = &'p Party>,
) -> bool {
    let Some(owner) = plan.holders.get(holder as usize) else { return false };
    parties.any(|party| {
        let keys = [party.handle.as_deref(), party.email.as_deref()];
        is_kept_back(plan, left_out, holder, keys.into_iter().flatten())
            || (!owner.leave_out.names.is_empty() && owner.leave_out.names.contains(&compared(&party.name)))
    })
}

/// Whether `out` names the handle, the address, or the name in the name key `key`.
fn is_key_left_out(out: &LeaveOut, key: &str) -> bool {
    let name = key.split_once('\u{1e}').map(|(name, _)| name);
    out.handles.iter().any(|left| left == key)
        || name.is_some_and(|name| out.names.iter().any(|left| left == name))
        || is_address_left_out(out, key)
}

/// Whether `out` names the address `email` or its domain.
fn is_address_left_out(out: &LeaveOut, email: &str) -> bool {
    let domain = email.rsplit_once('@').map_or("", |(_, domain)| domain);
    let is_within = |left: &String| {
        domain.strip_suffix(left.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    out.addresses.iter().any(|left| left == email) || out.domains.iter().any(is_within)
}

/// Whether `out` names the label, an address, the handle, the name or the company of `contact`.
pub(crate) fn is_left_out(out: &LeaveOut, contact: &Contact) -> bool {
    let key = || company_key(&contact.company);
    out.labels.iter().any(|left| contact.labels.iter().any(|label| fold(label) == *left))
        || contact.emails.iter().any(|email| is_address_left_out(out, email))
        || contact.handles.iter().any(|handle| out.handles.contains(handle))
        || (!out.names.is_empty() && out.names.contains(&compared(&contact.names.full)))
        || (!out.companies.is_empty() && out.companies.contains(&key()))
}

/// The keys that identify a row with this name: the name with the company, if any, and the name at each place, which is
/// the number of a file and a line.
pub(crate) fn name_keys(
    name: &str,
    company: &str,
    places: impl IntoIterator<Item = (u32, u64)>,
) -> impl Iterator<Item = String> {
    let (name, company) = (compared(name), company_key(company));
    let at_company = (!company.is_empty()).then(|| format!("{name}\u{1e}{company}"));
    let at_place = places.into_iter().map(move |(file, line)| format!("{name}\u{1e}{file}\u{1e}{line}"));
    at_company.into_iter().chain(at_place)
}
