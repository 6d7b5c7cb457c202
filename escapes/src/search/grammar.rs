//! The generator: programs are phrases of calls that make sense together, and calls at random. A
//! program is a function of the seed and its number alone.

use super::calls::{self, Argument, Call, Role, sockets_fitting};
use super::program::{LAST_WORD, Operation, Program};
use super::words::{OBJECTS, SPELLINGS, WORKING, Word, words_for};
use proptest::collection::vec;
use proptest::prelude::{BoxedStrategy, Just, Strategy, prop_oneof};
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, Reason, RngAlgorithm, TestRng, TestRunner};

/// Calls that make sense one after the other.
const CHAINS: &[&[&str]] = &[
    &["shmget", "shmat"],
    &["shmget", "shmat.write"],
    &["shmget", "shmctl"],
    &["msgget", "msgrcv"],
    &["msgget", "msgsnd"],
    &["msgget", "msgctl"],
    &["semget", "semctl.set"],
    &["semget", "semctl.remove"],
    &["keyctl.search", "keyctl.read"],
    &["keyctl.search", "keyctl.revoke"],
    &["request_key", "keyctl.read"],
    &["mq_open", "mq_timedreceive"],
    &["mq_open", "mq_timedsend"],
    &["pidfd_open", "pidfd_send_signal"],
    &["pidfd_open", "pidfd_getfd", "pread64"],
    &["memfd_create", "write.program", "execveat.descriptor"],
    &["openat", "write.program", "close", "execve"],
    &["socketpair", "sendto"],
    &["socketpair", "sendmsg"],
];

/// Phrases in one program at most.
const PHRASES: usize = 3;

/// Makes programs.
#[derive(Debug)]
pub struct Grammar {
    strategy: BoxedStrategy<Program>,
}

impl Default for Grammar {
    fn default() -> Self {
        let phrase = prop_oneof![
            5 => vec(operation(role(Role::Act)), 1),
            6 => opening(),
            3 => (vec(operation(role(Role::Way)), 1..=2), opening())
                .prop_map(|(way, opening)| [way, opening].concat()),
            2 => vec(operation(role(Role::Use)), 1..=2),
            5 => select(CHAINS).prop_flat_map(chain),
            4 => reach(),
            1 => vec(operation(calls::all().collect()), 1..=3),
        ];
        let strategy = vec(phrase, 1..=PHRASES).prop_map(|phrases| Program(phrases.concat()));
        Self { strategy: strategy.boxed() }
    }
}

impl Grammar {
    /// The program of this number.
    ///
    /// # Errors
    /// When the generator gives up, which no phrase of this grammar lets it.
    pub fn program(&self, seed: u64, number: u64) -> Result<Program, Reason> {
        let mut bytes = [0; 32];
        let both = seed.to_le_bytes().into_iter().chain(number.to_le_bytes());
        bytes.iter_mut().zip(both).for_each(|(place, byte)| *place = byte);
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), random);
        Ok(self.strategy.new_tree(&mut runner)?.current())
    }
}

fn role(role: Role) -> Vec<&'static Call> {
    calls::all().filter(|call| call.role == role).collect()
}

/// One of these calls with its words.
fn operation(calls: Vec<&'static Call>) -> BoxedStrategy<Operation> {
    select(calls).prop_flat_map(with_words).boxed()
}

/// A call with words at random.
fn with_words(call: &'static Call) -> BoxedStrategy<Operation> {
    let words: Vec<BoxedStrategy<Word>> = call.open_arguments().map(word).collect();
    words.prop_map(move |words| Operation { call, words }).boxed()
}

/// A word for an argument: more often one that makes sense, never only such.
fn word(argument: &'static Argument) -> BoxedStrategy<Word> {
    let any = select(words_for(argument));
    match argument {
        Argument::Descriptor => prop_oneof![2 => Just(LAST_WORD), 1 => any].boxed(),
        Argument::Directory => prop_oneof![4 => Just(Word::Name(WORKING)), 1 => any].boxed(),
        Argument::Place => {
            let simple = SPELLINGS.first().copied().unwrap_or_default();
            let simply = select(OBJECTS)
                .prop_map(move |object| Word::Place { object: object.name, spelling: simple });
            prop_oneof![1 => simply, 1 => any].boxed()
        }
        Argument::Fixed(_) | Argument::Choice(_) | Argument::Address | Argument::Program => {
            any.boxed()
        }
    }
}

/// Opens a path and uses the descriptor.
fn opening() -> BoxedStrategy<Vec<Operation>> {
    let uses = vec(operation(role(Role::Use)).prop_map(of_the_last), 1..=2);
    (operation(role(Role::Open)), uses)
        .prop_map(|(open, uses)| std::iter::once(open).chain(uses).collect())
        .boxed()
}

/// The operation on the descriptor that was made last.
fn of_the_last(mut operation: Operation) -> Operation {
    let arguments = operation.call.open_arguments();
    for (argument, word) in arguments.zip(&mut operation.words) {
        if *argument == Argument::Descriptor {
            *word = LAST_WORD;
        }
    }
    operation
}

/// The calls of a chain, one after the other.
fn chain(names: &'static [&'static str]) -> BoxedStrategy<Vec<Operation>> {
    let calls = names.iter().copied().filter_map(calls::named);
    calls.map(with_words).collect::<Vec<_>>().boxed()
}

/// A socket that fits a listener, or any other, and a call there.
fn reach() -> BoxedStrategy<Vec<Operation>> {
    let calls = ["connect", "sendto", "sendmsg", "bind"].into_iter().filter_map(calls::named);
    let then = operation(calls.collect());
    (select(sockets_fitting().collect::<Vec<_>>()), then, operation(role(Role::Use)))
        .prop_map(|((listener, family, kind), then, last)| {
            let words = [family, kind].map(Word::Name).to_vec();
            let socket = calls::named("socket").map(|call| Operation { call, words });
            let arguments = then.call.open_arguments();
            let words = arguments.map(|argument| match argument {
                Argument::Address => Some(Word::Name(listener)),
                Argument::Descriptor => Some(LAST_WORD),
                Argument::Fixed(_)
                | Argument::Choice(_)
                | Argument::Directory
                | Argument::Place
                | Argument::Program => None,
            });
            let words = words.zip(&then.words).map(|(fitting, any)| fitting.unwrap_or(*any));
            let then = Operation { call: then.call, words: words.collect() };
            socket.into_iter().chain([then, of_the_last(last)]).collect()
        })
        .boxed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn programs(seed: u64, numbers: std::ops::Range<u64>) -> Vec<Program> {
        let grammar = Grammar::default();
        numbers.map(|number| grammar.program(seed, number).unwrap()).collect()
    }

    #[test]
    fn a_seed_reproduces_and_another_one_differs() {
        assert_eq!(programs(7, 0..50), programs(7, 0..50));
        assert_ne!(programs(7, 0..50), programs(8, 0..50));
        assert_eq!(programs(7, 0..50)[20..], programs(7, 20..50));
    }

    #[test]
    fn every_program_is_a_text_that_reads_back() {
        for program in programs(1, 0..500) {
            assert!(!program.0.is_empty());
            assert_eq!(Program::parse_all(&program.to_string()).unwrap(), [program]);
        }
    }

    #[test]
    fn every_call_and_every_word_comes_up() {
        let mut calls_seen = BTreeSet::new();
        let mut words_seen = BTreeSet::new();
        for operation in programs(3, 0..6000).iter().flat_map(|program| &program.0) {
            calls_seen.insert(operation.call.name);
            words_seen.extend(operation.words.iter().map(|word| match word {
                Word::Name(name) => *name,
                Word::Place { spelling, .. } => spelling,
            }));
        }
        let unseen: Vec<_> = calls::all()
            .filter(|call| !calls_seen.contains(call.name))
            .map(|call| call.name)
            .collect();
        assert_eq!(unseen, [""; 0]);
        for argument in calls::all().flat_map(Call::open_arguments) {
            for word in words_for(argument) {
                if let Word::Name(name) = word {
                    assert!(words_seen.contains(name), "{name}");
                }
            }
        }
        assert!(SPELLINGS.iter().all(|spelling| words_seen.contains(spelling)));
    }

    #[test]
    fn every_chain_is_made_of_calls_that_exist() {
        assert!(CHAINS.iter().copied().flatten().all(|name| calls::named(name).is_some()));
    }
}
