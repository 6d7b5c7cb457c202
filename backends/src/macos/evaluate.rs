//! What a profile decides, without a Mac.
//!
//! Two readings of the order of rules are about. **Each operation has a list** (Apple's prelude): the
//! newest filtered rule that names the operation and matches decides; then its unfiltered rule, wherever
//! it stands; then its parent. **The last one in the text decides** (common belief, and some tools): of
//! all rules that name the operation or one that it asks, the last that matches. They differ where a
//! wider operation is named after a narrower one, and people have lost secrets to the difference. So a
//! profile is refused whose meaning depends on the reading: first by its shape, whatever is asked, and
//! then again with each question.

use super::access::Access;
use super::operation::{Action, Operation};
use super::rules::{Rule, Unset, Values};

/// A profile that means the same in both readings, with the values of its parameters.
#[derive(Clone, Debug)]
pub struct Evaluator {
    rules: Vec<Rule>,
    values: Values,
}

/// Why a profile is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It does not begin with what everything else is an exception of.
    #[error("the profile does not begin with (deny default)")]
    NotClosed,
    /// An operation stays open that `(deny default)` does not close.
    #[error("{0:?} stays open under (deny default): the profile must name it")]
    Open(Operation),
    /// Which of two rules decides depends on the reading.
    #[error("whether {earlier} or {later} decides depends on the reading of their order")]
    Disputed {
        /// The rule that stands first.
        earlier: String,
        /// The rule that stands second.
        later: String,
    },
    /// A rule names no operation.
    #[error("{0} names no operation")]
    Empty(String),
    /// A parameter has no value.
    #[error(transparent)]
    Unset(#[from] Unset),
}

/// What an access gets, and by which rule: its place in the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What it gets.
    pub action: Action,
    /// The rule that decides; `None` where an operation's own action does.
    pub rule: Option<usize>,
}

impl Evaluator {
    /// Takes rules whose meaning does not depend on the reading.
    ///
    /// # Errors
    /// When it does, or could for some access; see [`Refused`].
    pub fn new(rules: &[Rule], values: Values) -> Result<Self, Refused> {
        if let Some(rule) = rules.iter().find(|rule| rule.operations.is_empty()) {
            return Err(Refused::Empty(rule.to_string()));
        }
        let closed = rules.first().is_some_and(|rule| {
            rule.action == Action::Deny
                && rule.operations == [Operation::DEFAULT]
                && rule.filters.is_empty()
        });
        if !closed {
            return Err(Refused::NotClosed);
        }
        for open in Operation::open() {
            let named = |rule: &Rule| rule.filters.is_empty() && rule.operations.contains(&open);
            if !rules.iter().any(named) {
                return Err(Refused::Open(open));
            }
        }
        for (index, earlier) in rules.iter().enumerate() {
            for later in rules.iter().skip(index + 1) {
                if is_disputed(earlier, later) {
                    return Err(Refused::Disputed {
                        earlier: earlier.to_string(),
                        later: later.to_string(),
                    });
                }
            }
        }
        Ok(Self { rules: rules.to_vec(), values })
    }

    /// The rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The value of a parameter.
    pub fn value(&self, parameter: &str) -> Option<&str> {
        self.values.get(parameter).map(String::as_str)
    }

    /// Decides one access in both readings.
    ///
    /// # Errors
    /// When a parameter has no value, or the readings differ after all.
    pub fn decide(&self, access: &Access) -> Result<Decision, Refused> {
        let (lists, text) = (self.by_lists(access)?, self.by_text(access)?);
        if lists.action == text.action {
            return Ok(lists);
        }
        let rule = |decision: Decision| {
            decision
                .rule
                .and_then(|at| self.rules.get(at))
                .map_or_else(String::new, Rule::to_string)
        };
        Err(Refused::Disputed { earlier: rule(lists), later: rule(text) })
    }

    /// The reading by lists.
    fn by_lists(&self, access: &Access) -> Result<Decision, Unset> {
        for operation in access.operation.line() {
            let naming = |(_, rule): &(usize, &Rule)| rule.operations.contains(&operation);
            let mut last_unfiltered = None;
            for (at, rule) in self.rules.iter().enumerate().rev().filter(naming) {
                if rule.filters.is_empty() {
                    last_unfiltered.get_or_insert((at, rule.action));
                } else if rule.matches(&access.object, &self.values)? {
                    return Ok(Decision { action: rule.action, rule: Some(at) });
                }
            }
            if let Some((at, action)) = last_unfiltered {
                return Ok(Decision { action, rule: Some(at) });
            }
            if let Some(action) = operation.own_action() {
                return Ok(Decision { action, rule: None });
            }
        }
        Ok(Decision { action: Action::Deny, rule: None })
    }

    /// The reading by the text.
    fn by_text(&self, access: &Access) -> Result<Decision, Unset> {
        for (at, rule) in self.rules.iter().enumerate().rev() {
            let named = access.operation.asked().any(|line| rule.operations.contains(&line));
            if named && rule.matches(&access.object, &self.values)? {
                return Ok(Decision { action: rule.action, rule: Some(at) });
            }
        }
        // What the default does not close is closed in neither reading.
        let own = access.operation.asked().find_map(Operation::own_action);
        Ok(Decision { action: own.unwrap_or(Action::Deny), rule: None })
    }
}

/// Whether two rules with opposite actions could both speak of an access and each reading takes another:
/// the later one names a wider operation, or the same one without filters. Whether their filters can
/// match the same object is not asked: a profile that needs that question is refused.
fn is_disputed(earlier: &Rule, later: &Rule) -> bool {
    earlier.action != later.action
        && earlier.operations.iter().any(|narrow| {
            later.operations.iter().any(|wide| {
                if narrow == wide {
                    !earlier.filters.is_empty() && later.filters.is_empty()
                } else {
                    narrow.asked().any(|asked| asked == *wide)
                }
            })
        })
}
