//! Synonyms of a role, a level, an industry or a place, and the concepts of a description.

use crate::search::lexicon::{LEXICON, Level, Meaning, Name, Phrase, WorkField};
use crate::search::words::stems;

/// Maximum number of words in an associated phrase.
const SPOKEN_WORDS_MAX: usize = 4;
/// Maximum number of things that a description can mean.
const DESCRIBED_MAX: usize = 3;
/// Minimum share of the votes for the first of them that the others need.
const DESCRIBED_PART: f32 = 0.6;

/// Synonyms of a term: as words, and for vectors.
#[derive(Default)]
pub struct Ways {
    /// For words.
    pub phrases: Vec<Phrase>,
    /// The first ones in plain words, for vectors.
    pub senses: Vec<String>,
}

impl Ways {
    /// Names, the first few also for vectors.
    fn named(names: &[Name]) -> Self {
        Self {
            phrases: names.iter().map(|name| name.stems.clone()).collect(),
            senses: names.iter().take(2).map(|name| name.said.clone()).collect(),
        }
    }

    /// All of a field, or one of its occupations.
    fn of_work(field: &WorkField, work: Work) -> Self {
        match work {
            Work::Job(job) => Self::named(&field.jobs[job]),
            Work::Chief => Self::named(&field.chiefs),
            Work::Whole => {
                let jobs = field.jobs.iter().map(|job| Self::named(job));
                jobs.fold(Self::named(&field.titles).and(Self::named(&field.chiefs)), Self::and)
            }
        }
    }

    fn and(mut self, other: Self) -> Self {
        self.phrases.extend(other.phrases);
        self.senses.extend(other.senses);
        self
    }
}

/// The parts of a role: its level, its field or job, and other words.
struct RoleParts {
    level: Option<&'static Level>,
    work: Option<(&'static WorkField, Work)>,
    other: Phrase,
    /// Whether a description stands for the field, not a title: then other words are part of it.
    is_talk: bool,
}

#[derive(Clone, Copy)]
enum Work {
    Whole,
    Chief,
    Job(usize),
}

/// Synonyms of a role.
#[must_use]
pub fn role(words: &[String]) -> Ways {
    let parts = take_apart(words);
    let mut ways = match (parts.level, parts.work) {
        (Some(level), Some((field, Work::Job(job)))) => levelled(level, &field.jobs[job]),
        (Some(level), Some((field, _))) => {
            let chiefs = if level.with_chiefs { Ways::named(&field.chiefs) } else { Ways::default() };
            chiefs.and(levelled(level, &field.titles))
        }
        (None, Some((field, work @ (Work::Job(_) | Work::Whole)))) => Ways::of_work(field, work),
        (None, Some((field, Work::Chief))) => {
            let heads = LEXICON.levels.first().filter(|_| field.name != "general management");
            let heads = heads.map(|level| levelled(level, &field.titles)).unwrap_or_default();
            Ways::named(&field.chiefs).and(heads)
        }
        (Some(level), None) if parts.other.is_empty() => Ways::named(&level.alone),
        (Some(level), None) => {
            let titles = level.titles.iter().map(|title| title.stems.clone());
            Ways { phrases: titles.collect(), senses: Vec::new() }
        }
        (None, None) => Ways::default(),
    };
    if parts.is_talk {
        return ways;
    }
    // "robotics engineer": whatever the synonyms of engineer, robotics is part of it.
    if !parts.other.is_empty() {
        ways.phrases
            .iter_mut()
            .for_each(|phrase| phrase.splice(0..0, parts.other.iter().cloned()).for_each(drop));
        ways.senses.clear();
    }
    ways
}

/// Every name combined with every title of a level: "head of sales", "vp revenue".
fn levelled(level: &Level, names: &[Name]) -> Ways {
    let combine =
        |title: &Name| names.iter().map(|name| [&title.stems[..], &name.stems].concat()).collect::<Vec<_>>();
    let said = level.titles.first().zip(names.first());
    Ways {
        phrases: level.titles.iter().flat_map(combine).collect(),
        senses: said.map(|(title, name)| format!("{} of {}", title.said, name.said)).into_iter().collect(),
    }
}

/// The role's own names only.
#[must_use]
pub fn narrow_role(words: &[String]) -> Ways {
    let jobs = LEXICON.meanings(words).iter().filter_map(|meaning| match *meaning {
        Meaning::Job(field, job) => Some(&LEXICON.fields[field].jobs[job]),
        _ => None,
    });
    // "not angels" leaves other investors in.
    if let Some(narrowest) = jobs.min_by_key(|names| names.len()) {
        return Ways::named(narrowest);
    }
    let parts = take_apart(words);
    match (parts.level, parts.work) {
        (None, Some((field, work @ (Work::Job(_) | Work::Chief)))) => Ways::of_work(field, work),
        (None, Some((field, Work::Whole))) => Ways::named(&field.titles),
        _ => Ways::default(),
    }
}

/// Finds a level and a field in `words`, longest phrases first.
fn take_apart(words: &[String]) -> RoleParts {
    let lexicon = &*LEXICON;
    let mut role = RoleParts { level: None, work: None, other: Phrase::new(), is_talk: false };
    let cut = cut(words, |phrase| {
        let meanings = lexicon.meanings(phrase);
        let level = meanings.iter().find_map(|meaning| match meaning {
            Meaning::Level(level) if role.level.is_none() => Some(*level),
            _ => None,
        });
        if let Some(level) = level {
            role.level = Some(&lexicon.levels[level]);
            return Some(());
        }
        let (field, work) = work_of(meanings).filter(|_| role.work.is_none())?;
        role.is_talk = is_talk(meanings);
        role.work = Some((&lexicon.fields[field], work));
        Some(())
    });
    role.other = unnamed(&cut).cloned().collect();
    role
}

/// `words` cut from left to right into the longest phrases that are `named`, and single other words.
fn cut<T>(words: &[String], mut named: impl FnMut(&[String]) -> Option<T>) -> Vec<(&[String], Option<T>)> {
    let (mut cut, mut rest) = (Vec::new(), words);
    while !rest.is_empty() {
        let lengths = (1..=rest.len().min(LEXICON.words_max)).rev();
        let found = lengths.into_iter().find_map(|length| Some((length, named(&rest[..length])?)));
        let (length, found) = found.map_or((1, None), |(length, found)| (length, Some(found)));
        cut.push((&rest[..length], found));
        rest = &rest[length..];
    }
    cut
}

/// The words that are not named.
fn unnamed<'a, T>(cut: &[(&'a [String], Option<T>)]) -> impl Iterator<Item = &'a String> {
    cut.iter().filter(|(_, found)| found.is_none()).flat_map(|(words, _)| *words)
}

fn work_of(meanings: &[Meaning]) -> Option<(usize, Work)> {
    let rank = |meaning: &Meaning| match *meaning {
        Meaning::Chief(field) => Some((0, field, Work::Chief)),
        Meaning::Job(field, job) => Some((1, field, Work::Job(job))),
        Meaning::Title(field) => Some((2, field, Work::Whole)),
        Meaning::Talk(field) => Some((3, field, Work::Whole)),
        _ => None,
    };
    let best = meanings.iter().filter_map(rank).min_by_key(|&(rank, ..)| rank);
    best.map(|(_, field, work)| (field, work))
}

/// Whether `meanings` have fields only by descriptions.
fn is_talk(meanings: &[Meaning]) -> bool {
    let is_role = |it: &Meaning| matches!(it, Meaning::Title(_) | Meaning::Job(..) | Meaning::Chief(_));
    !meanings.iter().any(is_role)
}

/// The meaning of the words of a role or a title, as far as the lexicon knows it.
#[derive(Debug, Default)]
pub struct RoleSense {
    /// The fields of work that they name.
    fields: Vec<usize>,
    /// The jobs that they name, each with its field.
    jobs: Vec<(usize, usize)>,
    /// The jobs that words for a level name too: "principal". They count if there are no others.
    or_jobs: Vec<(usize, usize)>,
    /// The last level that they name.
    level: Option<usize>,
    /// Whether they name the head of a field.
    is_chief: bool,
    /// Whether other words are left.
    has_other: bool,
}

impl RoleSense {
    /// The meaning of `words`. Costs a few look-ups for each.
    #[must_use]
    pub fn of(words: &[String]) -> Self {
        let mut sense = Self::default();
        let cut = cut(words, |phrase| sense.take(phrase).then_some(()));
        if sense.fields.is_empty() {
            sense.jobs = std::mem::take(&mut sense.or_jobs);
            sense.fields = sense.jobs.iter().map(|&(field, _)| field).collect();
        }
        sense.has_other = unnamed(&cut).any(|word| !["of", "the", "and", "for"].contains(&word.as_str()));
        sense
    }

    /// Adds what `phrase` names; returns whether it names anything.
    fn take(&mut self, phrase: &[String]) -> bool {
        let mut is_any = false;
        let meanings = LEXICON.meanings(phrase);
        let is_level = meanings.iter().any(|it| matches!(it, Meaning::Level(_)));
        for meaning in meanings {
            match *meaning {
                Meaning::Title(field) => self.fields.push(field),
                Meaning::Job(field, job) if is_level => self.or_jobs.push((field, job)),
                Meaning::Job(field, job) => {
                    self.fields.push(field);
                    self.jobs.push((field, job));
                }
                Meaning::Chief(field) => {
                    self.fields.push(field);
                    self.is_chief = true;
                }
                Meaning::Level(level) => self.level = Some(level),
                _ => continue,
            }
            is_any = true;
        }
        is_any
    }

    fn leads(&self) -> bool {
        self.is_chief || self.level.is_some_and(|level| LEXICON.levels[level].leads())
    }

    /// Whether the title `title` may be of one of the role's fields. Words of a title that the lexicon does not have can
    /// mean anything.
    #[must_use]
    pub fn is_of_field(&self, title: &Self) -> bool {
        self.fields.is_empty()
            || self.has_other
            || title.fields.iter().any(|field| self.fields.contains(field))
            || title.fields.is_empty() && title.has_other
    }

    /// Whether a person with the title `title` may be in this role: in one of its fields, not in another job of it, and
    /// at such a level.
    #[must_use]
    pub fn may_be(&self, title: &Self) -> bool {
        let is_of_job = self.jobs.is_empty()
            || title.jobs.is_empty()
            || title.jobs.iter().any(|job| self.jobs.contains(job));
        let is_of_level = match self.level {
            _ if title.fields.is_empty() && title.has_other => true,
            Some(level) if !LEXICON.levels[level].leads() => title.level.is_some_and(|other| {
                let name = stems(&LEXICON.levels[other].name);
                LEXICON.levels[level].titles.iter().any(|title| title.stems == name)
            }),
            Some(_) => title.leads(),
            None => !self.is_chief || title.leads(),
        };
        self.is_of_field(title) && is_of_job && is_of_level
    }
}

/// The titles of a level.
#[must_use]
pub fn seniority(words: &[String]) -> Ways {
    let level = LEXICON.meanings(words).iter().find_map(|meaning| match meaning {
        Meaning::Level(level) => Some(&LEXICON.levels[*level]),
        _ => None,
    });
    let level = level.or_else(|| LEXICON.levels.iter().find(|level| stems(&level.name) == words));
    level.map(|level| Ways::named(&level.alone)).unwrap_or_default()
}

/// Whether `words` are a title within a level, other than the level's name: "intern", which is junior.
#[must_use]
pub fn is_within_level(words: &[String]) -> bool {
    let is_within =
        |level: &Level| level.titles.iter().any(|title| title.stems == words) && stems(&level.name) != words;
    LEXICON
        .meanings(words)
        .iter()
        .any(|it| matches!(it, Meaning::Level(level) if is_within(&LEXICON.levels[*level])))
}

/// The other names in the lines with these words.
#[must_use]
pub fn same_line(words: &[String], lines: &[Vec<Name>], line: fn(&Meaning) -> Option<usize>) -> Ways {
    let mut found: Vec<usize> = LEXICON.meanings(words).iter().filter_map(line).collect();
    // The line that the words open is their own; others only mention them.
    if let Some(&own) = found.iter().find(|&&at| lines[at].first().is_some_and(|name| name.stems == words)) {
        found = vec![own];
    }
    found.iter().map(|&at| Ways::named(&lines[at])).fold(Ways::default(), Ways::and)
}

/// Synonyms of a place: other names in its line; if that names a single place, also those in the place's line: "golden
/// city" is Prague, and so Praha.
#[must_use]
pub fn place(words: &[String]) -> Ways {
    let lines = &LEXICON.places;
    let ways = same_line(words, lines, place_line);
    let [own, other] = &ways.phrases[..] else { return ways };
    let stems = if own == words { other } else { own };
    let line = lines.iter().find(|line| line.first().is_some_and(|name| name.stems == *stems));
    line.map(|line| Ways::named(line)).into_iter().fold(ways, Ways::and)
}

/// The line of industries that it names.
#[must_use]
pub fn industry_line(meaning: &Meaning) -> Option<usize> {
    match meaning {
        Meaning::Industry(line) => Some(*line),
        _ => None,
    }
}

/// The line of places that it names.
#[must_use]
pub fn place_line(meaning: &Meaning) -> Option<usize> {
    match meaning {
        Meaning::Place(line) => Some(*line),
        _ => None,
    }
}

/// Synonyms of a description: those of each field of work, occupation and industry in it, and of what its words
/// describe.
#[must_use]
pub fn talk(words: &[String]) -> Ways {
    let named = cut(words, work_or_industry).into_iter().filter_map(|(_, found)| found);
    named.fold(Ways::default(), Ways::and).and(described(words))
}

/// Synonyms of the field of work, the occupation and the industries that these words name.
fn work_or_industry(words: &[String]) -> Option<Ways> {
    let meanings = LEXICON.meanings(words);
    let lines = meanings.iter().filter_map(industry_line).map(|line| &LEXICON.industries[line][..]);
    let industries = lines.map(Ways::named).reduce(Ways::and);
    let work = work_of(meanings).map(|(field, work)| Ways::of_work(&LEXICON.fields[field], work));
    work.into_iter().chain(industries).reduce(Ways::and)
}

/// Synonyms of what `words` describe without naming it: most of their associated phrases belong to it.
fn described(words: &[String]) -> Ways {
    let mut votes: Vec<(&Phrase, f32)> = Vec::new();
    for length in 1..=SPOKEN_WORDS_MAX {
        for spoken in words.windows(length) {
            let names = LEXICON.spoken_of(spoken);
            for name in names {
                // A phrase that belongs to many concepts is a weak sign for each.
                let vote = length as f32 / names.len() as f32;
                match votes.iter_mut().find(|(voted, _)| *voted == name) {
                    Some((_, votes)) => *votes += vote,
                    None => votes.push((name, vote)),
                }
            }
        }
    }
    votes.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let best = votes.first().map_or(0.0, |(_, votes)| *votes);
    let chosen = votes.iter().take(DESCRIBED_MAX).take_while(|(_, votes)| *votes >= DESCRIBED_PART * best);
    let ways = chosen.map(|(name, _)| {
        let places = LEXICON.meanings(name).iter().filter_map(place_line);
        let places = places.map(|line| Ways::named(&LEXICON.places[line])).reduce(Ways::and);
        work_or_industry(name).into_iter().chain(places).fold(Ways::default(), Ways::and)
    });
    ways.fold(Ways::default(), Ways::and)
}

/// Whether `words` are just a level of a field of work, by titles: "head of people".
#[must_use]
pub fn is_levelled_title(words: &[String]) -> bool {
    let parts = take_apart(words);
    parts.level.is_some() && parts.work.is_some() && parts.other.is_empty() && !parts.is_talk
}

/// Whether a description of a field of work has words without meaning beside it.
#[must_use]
pub fn is_about_talk(words: &[String]) -> bool {
    let parts = take_apart(words);
    parts.is_talk && !parts.other.is_empty()
}
