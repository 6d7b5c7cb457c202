//! `escapology list` and `escapology explain`: what the catalogue holds.

use super::{out, say};
use clap::Args;
use escapes::table::{self, depth, runtimes};
use harness::escape::{Bar, Escape};
use serde_json::{Value, json};
use std::fmt::Write;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
    /// Print the page of docs/escapes.md
    #[arg(long, conflicts_with_all = ["json", "filter"])]
    markdown: bool,
    /// Only escapes whose id holds this text
    filter: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The escape's id
    escape: String,
}

impl List {
    pub(crate) fn run(self) -> ExitCode {
        let wanted = |escape: &&&Escape| {
            self.filter.as_deref().is_none_or(|filter| escape.id.contains(filter))
        };
        let all = escapes::all();
        let chosen: Vec<&&Escape> = all.iter().filter(wanted).collect();
        if chosen.is_empty() {
            say(&format!("nothing selected: no id holds {:?}", self.filter.unwrap_or_default()));
            return ExitCode::from(2);
        }
        if self.markdown {
            return out(&table::page(&all));
        }
        if self.json {
            let array: Vec<Value> = chosen.iter().map(|escape| as_json(escape)).collect();
            return out(&format!("{}\n", Value::from(array)));
        }
        let lines: String =
            chosen.iter().map(|escape| format!("{:<40} {}\n", escape.id, escape.summary)).collect();
        out(&lines)
    }
}

fn bar(escape: &Escape) -> &'static str {
    match escape.bar {
        Bar::S1 => "S1",
        Bar::Residue => "residue",
        Bar::Limit => "limit",
    }
}

fn as_json(escape: &Escape) -> Value {
    json!({
        "id": escape.id,
        "family": escape.family(),
        "summary": escape.summary,
        "techniques": escape.techniques,
        "references": escape.references,
        "bar": bar(escape),
        "runtimes": runtimes(escape),
        "needs": escape.needs.iter().map(|need| format!("{need:?}")).collect::<Vec<_>>(),
        "stopped_by": escape.stops.iter().map(|layer| layer.name()).collect::<Vec<_>>(),
        "depth": depth(escape).iter().map(|layer| layer.name()).collect::<Vec<_>>(),
        "witnesses": escape.witnesses,
        "twin": escape.twin.name(),
        "silent": escape.silent,
    })
}

impl Explain {
    pub(crate) fn run(self) -> ExitCode {
        let all = escapes::all();
        let Some(escape) = all.iter().find(|escape| escape.id == self.escape) else {
            say(&unknown(&self.escape, &all));
            return ExitCode::from(2);
        };
        let mut text = String::new();
        let written = write!(
            text,
            "{}\n\n  {}.\n\n  bar         {}\n  runtimes    {}\n  stopped by  {}\n  witnesses   {}\n  twin        {}\n  techniques  {}\n  needs       {:?}\n  references  {}\n",
            escape.id,
            escape.summary,
            bar(escape),
            runtimes(escape).join(", "),
            escape.stops.iter().map(|layer| layer.name()).collect::<Vec<_>>().join(", "),
            escape.witnesses.join(", "),
            escape.twin.name(),
            escape.techniques.join(", "),
            escape.needs,
            escape.references.join("\n              "),
        );
        if let (Ok(()), Some(why)) = (written, escape.silent) {
            text.push_str(&format!("  may be stopped although its calls succeed: {why}\n"));
        }
        out(&text)
    }
}

/// What is known, for somebody who asked for what is not.
fn unknown(asked: &str, all: &[&Escape]) -> String {
    let family = asked.split('/').next().unwrap_or_default();
    let near: Vec<&str> =
        all.iter().filter(|escape| escape.family() == family).map(|escape| escape.id).collect();
    if near.is_empty() {
        let mut families: Vec<&str> = all.iter().map(|escape| escape.family()).collect();
        families.dedup();
        format!("unknown escape {asked:?}: the families are {}", families.join(", "))
    } else {
        format!("unknown escape {asked:?}: this family has {}", near.join(", "))
    }
}
