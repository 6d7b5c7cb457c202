//! Calls on objects of the kernel that have no file: System V objects, queues, keys, rings. Each is
//! named by a clue of the world or by the number that such a call gave.

use super::Argument::{Choice, Descriptor, Fixed as Given};
use super::{BUFFER, Call, Fixed, Gives, Kind, NONE, Role, Shows, Special, constant};
use libc::*;

type Argument = super::Argument;

const MEMORY: Argument = Given(Fixed::Clue("memory-key"));
const QUEUE: Argument = Given(Fixed::Clue("queue-key"));
const SEMAPHORE: Argument = Given(Fixed::Clue("semaphore-key"));
const THAT_MEMORY: Argument = Given(Fixed::Latest(Kind::Memory));
const THAT_QUEUE: Argument = Given(Fixed::Latest(Kind::Queue));
const THAT_SEMAPHORE: Argument = Given(Fixed::Latest(Kind::Semaphore));
const THAT_KEY: Argument = Given(Fixed::Latest(Kind::Key));
const REMOVE: Argument = constant(IPC_RMID as i64);
const NO_WAIT: Argument = constant(IPC_NOWAIT as i64);
const OBJECT: Argument = constant(64);

/// `KEY_SPEC_USER_KEYRING`, and operations of keyctl(2).
const USER: Argument = constant(-4);
const SEARCH: Argument = constant(10);
const READ: Argument = constant(11);
const REVOKE: Argument = constant(3);
const KIND: Argument = Given(Fixed::Literal(c"user"));
const DESCRIPTION: Argument = Given(Fixed::Text("key"));
const KEY_BYTES: Argument = constant(4096);

const NAME: Argument = Given(Fixed::Text("mqueue"));
const WAY: Argument = Choice(&[
    ("read", (O_RDONLY | O_NONBLOCK | O_CLOEXEC) as i64),
    ("write", (O_WRONLY | O_NONBLOCK | O_CLOEXEC) as i64),
]);
const CREATE: Argument = constant((O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC) as i64);
const MESSAGE: Argument = constant(8192);

const fn get(name: &'static str, number: i64, kind: Kind, arguments: &'static [Argument]) -> Call {
    Call::act(name, number, arguments).gives(Gives::Number(kind)).role(Role::Chained)
}

const fn then(name: &'static str, number: i64, arguments: &'static [Argument]) -> Call {
    Call::act(name, number, arguments).role(Role::Chained)
}

const fn hold(
    name: &'static str,
    number: i64,
    arguments: &'static [Argument],
    link: &'static str,
) -> Call {
    Call::act(name, number, arguments).gives(Gives::Descriptor).shows(Shows::Descriptor(link))
}

pub(super) const CALLS: &[Call] = &[
    get("shmget", SYS_shmget, Kind::Memory, &[MEMORY, OBJECT, NONE]),
    then("shmat", SYS_shmat, &[THAT_MEMORY]).gives(Gives::Special(Special::Attach)),
    then("shmat.write", SYS_shmat, &[THAT_MEMORY]).gives(Gives::Special(Special::AttachWrite)),
    then("shmctl", SYS_shmctl, &[THAT_MEMORY, REMOVE, NONE]),
    get("msgget", SYS_msgget, Kind::Queue, &[QUEUE, NONE]),
    then("msgrcv", SYS_msgrcv, &[THAT_QUEUE, BUFFER, OBJECT, NONE, NO_WAIT]).gives(Gives::Bytes),
    then("msgsnd", SYS_msgsnd, &[THAT_QUEUE, BUFFER, constant(8), NO_WAIT]),
    then("msgctl", SYS_msgctl, &[THAT_QUEUE, REMOVE, NONE]),
    get("semget", SYS_semget, Kind::Semaphore, &[SEMAPHORE, constant(1), NONE]),
    then("semctl.set", SYS_semctl, &[THAT_SEMAPHORE, NONE, constant(SETVAL as i64), constant(7)]),
    then("semctl.remove", SYS_semctl, &[THAT_SEMAPHORE, NONE, REMOVE]),
    get("keyctl.search", SYS_keyctl, Kind::Key, &[SEARCH, USER, KIND, DESCRIPTION, NONE]),
    get("request_key", SYS_request_key, Kind::Key, &[KIND, DESCRIPTION, NONE, NONE]),
    then("keyctl.read", SYS_keyctl, &[READ, THAT_KEY, BUFFER, KEY_BYTES]).gives(Gives::Bytes),
    then("keyctl.revoke", SYS_keyctl, &[REVOKE, THAT_KEY]),
    Call::act(
        "keyctl.serial",
        SYS_keyctl,
        &[READ, Given(Fixed::Clue("key-serial")), BUFFER, KEY_BYTES],
    )
    .gives(Gives::Bytes),
    Call::act("add_key", SYS_add_key, &[KIND, DESCRIPTION, BUFFER, constant(4), USER]),
    Call::act("mq_open", SYS_mq_open, &[NAME, WAY, NONE, NONE]).gives(Gives::Descriptor),
    Call::act(
        "mq_open.new",
        SYS_mq_open,
        &[Given(Fixed::Text("mqueue-new")), CREATE, constant(0o600), NONE],
    )
    .gives(Gives::Descriptor),
    then("mq_timedreceive", SYS_mq_timedreceive, &[Descriptor, BUFFER, MESSAGE, NONE, NONE])
        .gives(Gives::Bytes),
    then("mq_timedsend", SYS_mq_timedsend, &[Descriptor, BUFFER, constant(8), NONE, NONE]),
    Call::act("mq_unlink", SYS_mq_unlink, &[NAME]),
    hold(
        "io_uring_setup",
        SYS_io_uring_setup,
        &[constant(1), Given(Fixed::Words(&[0; 15]))],
        "anon_inode:[io_uring]",
    ),
    hold("memfd_create", SYS_memfd_create, &[Given(Fixed::Literal(c"found")), NONE], "memfd:"),
    hold("memfd_secret", SYS_memfd_secret, &[NONE], "secretmem"),
    hold("userfaultfd", SYS_userfaultfd, &[constant(1)], "anon_inode:[userfaultfd]"),
];
