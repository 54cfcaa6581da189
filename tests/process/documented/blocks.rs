//! The code of a document, block by block.

use std::collections::BTreeMap;

/// A fenced block.
pub(crate) struct Block {
    /// The line of its fence, from 1.
    pub(crate) line: usize,
    /// The first word after the fence; empty if there is none.
    pub(crate) language: String,
    /// The marks behind it, by name.
    marks: BTreeMap<String, String>,
    pub(crate) text: String,
    /// Whether nothing but blank lines lies between it and the block before.
    follows: bool,
}

/// The treatment of a block.
pub(crate) enum Part {
    Commands,
    /// Compared with what the last command of the block before printed.
    Shown,
    /// Compared with what this command prints.
    ShownBy(String),
    /// Written to a file of this name.
    File(String),
    NotRun,
}

impl Block {
    /// What is done with it, if the block before printed something or not.
    ///
    /// # Errors
    /// Returns an error if that cannot be said.
    pub(crate) fn part(&self, has_printed: bool) -> Result<Part, String> {
        let mark = |name: &str| self.marks.get(name).cloned();
        if let Some(strange) =
            self.marks.keys().find(|name| !["not-run", "shown-by", "file"].contains(&&***name))
        {
            return Err(format!("the mark {strange} is unknown"));
        }
        if let Some(reason) = mark("not-run") {
            return if reason.trim().is_empty() {
                Err("not-run has no reason".into())
            } else {
                Ok(Part::NotRun)
            };
        }
        if let Some(name) = mark("file") {
            return Ok(Part::File(name));
        }
        match (self.language.as_str(), mark("shown-by")) {
            ("sh", None) => Ok(Part::Commands),
            ("text" | "json", Some(command)) => Ok(Part::ShownBy(command)),
            ("text", None) if self.text.starts_with("$ ") => {
                Ok(Part::ShownBy(self.text.lines().next().unwrap_or_default()[2..].to_owned()))
            }
            ("text" | "json", None) if self.follows && has_printed => Ok(Part::Shown),
            (language, _) => Err(format!(
                "this block of {language:?} is neither run, nor shows what is printed, nor says why not: see \
                 tests/process/documented/mod.rs"
            )),
        }
    }

    /// Its content, without the command that prints it.
    pub(crate) fn shown(&self) -> String {
        match self.text.strip_prefix("$ ") {
            Some(rest) => rest.split_once('\n').map_or("", |(_, shown)| shown).to_owned(),
            None => self.text.clone(),
        }
    }
}

/// The blocks of a document.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let (mut open, mut follows) = (None, false);
    for (place, line) in text.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        match (&mut open, fence) {
            (None, Some(info)) => {
                let (language, rest) = info.trim().split_once(' ').unwrap_or((info.trim(), ""));
                let block = Block {
                    line: place + 1,
                    language: language.to_owned(),
                    marks: marks(rest),
                    text: String::new(),
                    follows,
                };
                open = Some((block, line.len() - line.trim_start().len()));
            }
            (Some(_), Some(_)) => {
                found.extend(open.take().map(|(block, _)| block));
                follows = true;
            }
            (Some((block, indent)), None) => {
                block.text.push_str(line.get(*indent..).unwrap_or_default());
                block.text.push('\n');
            }
            (None, None) => follows &= line.trim().is_empty(),
        }
    }
    found
}

/// `name="value"`, as often as it is there.
fn marks(mut rest: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    while let Some((name, behind)) = rest.split_once("=\"") {
        let (value, behind) = behind.split_once('"').unwrap_or((behind, ""));
        found.insert(name.trim().to_owned(), value.to_owned());
        rest = behind;
    }
    found
}

/// The commands of a block: a line each, or several that end in `\`, or that a quotation mark holds together.
pub(crate) fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut command = String::new();
    for line in text.lines() {
        command.push_str(line);
        let is_open = command.matches('\'').count() % 2 == 1;
        if let Some(more) = command.strip_suffix('\\') {
            command = format!("{} ", more.trim_end());
        } else if is_open {
            command.push('\n');
        } else {
            let whole = std::mem::take(&mut command);
            if !whole.trim().is_empty() && !whole.trim_start().starts_with('#') {
                found.push(whole.trim().to_owned());
            }
        }
    }
    found
}
