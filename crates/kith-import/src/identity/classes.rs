//! Sets of rows that are one person: joined one by one, but never against known differences.

/// The handles of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handles {
    None,
    One(u32),
    /// Several, only possible through an override.
    Several,
}

/// Marks a row as another person than the rows with the same entry and another member number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ApartMark {
    pub(crate) entry: u32,
    pub(crate) member: u32,
}

/// Rows in sets. A set has at most one handle, unless an override joined several.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    parents: Vec<u32>,
    /// The next row of the set, in a ring.
    next: Vec<u32>,
    handles: Vec<Handles>,
    marks: std::collections::HashMap<u32, Vec<ApartMark>>,
}

impl Classes {
    /// Starts with each of `handles` in a set of its own: the number of its handle, or 0.
    pub(crate) fn new(handles: impl Iterator<Item = u32>) -> Self {
        let handle = |number| if number == 0 { Handles::None } else { Handles::One(number) };
        let handles: Vec<Handles> = handles.map(handle).collect();
        let rows = 0..handles.len() as u32;
        Self { parents: rows.clone().collect(), next: rows.collect(), handles, marks: Default::default() }
    }

    /// Marks `row` as another person than other rows. Call it before anything is joined.
    pub(crate) fn mark(&mut self, row: u32, mark: ApartMark) {
        let marks = self.marks.entry(row).or_default();
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }

    /// The representative row of the set of `row`.
    pub(crate) fn root(&mut self, row: u32) -> u32 {
        let mut at = row;
        while self.parents[at as usize] != at {
            let above = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = above;
            at = above;
        }
        at
    }

    /// The rows of the set of `row`.
    pub(crate) fn members(&self, row: u32) -> Vec<u32> {
        let mut members = vec![row];
        let mut at = self.next[row as usize];
        while at != row {
            members.push(at);
            at = self.next[at as usize];
        }
        members
    }

    /// The number of the handle of the set `root`; 0 for none, `u32::MAX` for several.
    pub(crate) fn handle(&self, root: u32) -> u32 {
        match self.handles[root as usize] {
            Handles::None => 0,
            Handles::One(number) => number,
            Handles::Several => u32::MAX,
        }
    }

    /// Whether handles and overrides allow the sets of `one` and `other` to be one person.
    pub(crate) fn may_join(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        self.roots_may_join(one, other)
    }

    /// Like [`Self::may_join`], for two roots.
    pub(crate) fn roots_may_join(&self, one: u32, other: u32) -> bool {
        if one == other {
            return true;
        }
        let is_one_handle = match (self.handles[one as usize], self.handles[other as usize]) {
            (Handles::None, _) | (_, Handles::None) => true,
            (Handles::One(one), Handles::One(other)) => one == other,
            _ => false,
        };
        is_one_handle && !self.are_apart(one, other)
    }

    /// Whether an override separates the sets `one` and `other`.
    fn are_apart(&self, one: u32, other: u32) -> bool {
        let (Some(one), Some(other)) = (self.marks.get(&one), self.marks.get(&other)) else { return false };
        let differ = |one: &ApartMark| {
            other.iter().any(|other| other.entry == one.entry && other.member != one.member)
        };
        one.iter().any(differ)
    }

    /// Joins the sets of `one` and `other`, if that is allowed. Returns whether they are now one.
    pub(crate) fn join(&mut self, one: u32, other: u32) -> bool {
        self.may_join(one, other) && {
            self.join_anyway(one, other);
            true
        }
    }

    /// Joins the sets of `one` and `other` whatever their handles, unless an override separates them. Returns whether
    /// they are now one.
    pub(crate) fn join_by_override(&mut self, one: u32, other: u32) -> bool {
        let (one_root, other_root) = (self.root(one), self.root(other));
        one_root == other_root
            || (!self.are_apart(one_root, other_root) && {
                self.join_anyway(one, other);
                true
            })
    }

    fn join_anyway(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return;
        }
        // The smaller number becomes the root, so that the root does not depend on the order of joining.
        let (stays, goes) = (one.min(other), one.max(other));
        self.parents[goes as usize] = stays;
        self.next.swap(stays as usize, goes as usize);
        self.handles[stays as usize] = match (self.handles[stays as usize], self.handles[goes as usize]) {
            (Handles::None, handles) | (handles, Handles::None) => handles,
            (one, other) if one == other => one,
            _ => Handles::Several,
        };
        if let Some(gone) = self.marks.remove(&goes) {
            let marks = self.marks.entry(stays).or_default();
            marks.extend(gone);
            marks.sort_unstable();
            marks.dedup();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_handles_are_joined_by_an_override_alone_and_rows_apart_never() {
        let mut classes = Classes::new([1, 0, 2, 0, 0].into_iter());
        classes.mark(3, ApartMark { entry: 0, member: 0 });
        classes.mark(4, ApartMark { entry: 0, member: 1 });
        assert!(classes.join(0, 1) && !classes.join(1, 2) && !classes.join(2, 1));
        assert!(classes.join(1, 3) && !classes.join(0, 4) && !classes.join_by_override(0, 4));
        assert!(classes.join_by_override(2, 3), "an override joins two handles");
        let mut members = classes.members(2);
        members.sort_unstable();
        assert_eq!((members, classes.handle(0), classes.root(2)), (vec![0, 1, 2, 3], u32::MAX, 0));
        assert!(!classes.join(4, 0));
    }
}
