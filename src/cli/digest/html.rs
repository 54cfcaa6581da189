//! A digest as a mail has it: one page, without a script and without a request elsewhere.

use std::io::{self, Write};

use crate::cli::digest::{READ_MAX, more};
use crate::cli::listing::grouped;
use crate::cli::table::escaped;
use crate::digest::News;
use crate::openapi::page_parts::Html;

/// The style of a table: mail programs keep styles of elements alone.
const TABLE: &str = " style=\"border-collapse:collapse;font:15px sans-serif\"";
const CELL: &str =
    " style=\"padding:4px 12px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid #ddd\"";

impl News<'_> {
    /// Writes the page.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub(super) fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        let mut page = Html::default();
        let title = escaped(&self.title());
        page.raw("<!doctype html>\n<meta charset=utf-8>\n");
        page.element("title", "", |page| page.text(&title));
        page.element("h1", " style=\"font:600 20px sans-serif\"", |page| page.text(&title));
        for section in &self.sections {
            let heading = format!("{}: {}", section.title, grouped(section.total as u64));
            page.element("h2", " style=\"font:600 16px sans-serif\"", |page| page.text(&heading));
            let rows: Vec<[String; 3]> = section.rows().take(READ_MAX).collect();
            if rows.is_empty() {
                continue;
            }
            page.element("table", TABLE, |page| {
                page.element("tr", "", |page| {
                    section
                        .headings
                        .iter()
                        .for_each(|heading| page.element("th", CELL, |page| page.text(heading)));
                });
                for row in &rows {
                    page.element("tr", "", |page| {
                        row.iter()
                            .for_each(|cell| page.element("td", CELL, |page| page.text(&escaped(cell))));
                    });
                }
            });
            if let Some(more) = more(section, READ_MAX) {
                page.element("p", "", |page| page.text(&more));
            }
        }
        out.write_all(page.into_string().as_bytes())?;
        writeln!(out)
    }
}
