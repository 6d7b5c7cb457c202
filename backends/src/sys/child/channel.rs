//! Linux. What a child keeps of its parent's descriptors while it waits for its order, and how the order comes:
//! over a socket pair, which carries the descriptors of the program, and whose end tells a child that nobody will
//! ever have one for it: a launcher that executes another program keeps no child.

use super::plan::{ChildPlan, Order, Step};
use super::seen::{Stepped, expect, raw, take};

/// What came with an order.
pub(super) struct Given<'a> {
    pub(super) order: &'a Order<'a>,
    pub(super) streams: [i32; 3],
    pub(super) directory: i32,
    pub(super) ruleset: Option<i32>,
    pub(super) program: Option<i32>,
}

/// Streams, directory, ruleset, program.
const MOST: usize = 6;

/// `struct user_msghdr` of the kernel (include/linux/socket.h), recvmsg(2).
#[repr(C)]
struct Message {
    name: usize,
    name_length: i32,
    vectors: *const Vector,
    vector_count: usize,
    control: *mut Control,
    control_length: usize,
    flags: u32,
}

/// `struct iovec`.
#[repr(C)]
struct Vector {
    base: *mut usize,
    length: usize,
}

/// `struct cmsghdr` and the descriptors that follow it, cmsg(3).
#[repr(C)]
struct Control {
    length: usize,
    level: i32,
    kind: i32,
    descriptors: [i32; MOST],
}

/// The bytes of a `struct cmsghdr`, which count as a part of it.
const HEADER: usize = size_of::<Control>() - size_of::<[i32; MOST]>();

/// A descriptor table of the child's own, in which the channel stands in the place of the three streams, and
/// nothing else where nothing is to be kept. The table is seen to be its own before a stream is replaced, which would
/// be one of the parent's otherwise.
pub(super) fn keep(plan: &ChildPlan) -> Stepped {
    let (channel, opposite) = (plan.channel as usize, plan.opposite as usize);
    let last = if plan.close_descriptors { u32::MAX as usize } else { opposite };
    let unshare = [opposite, last, libc::CLOSE_RANGE_UNSHARE as usize, 0, 0, 0];
    take(Step::Descriptors, raw(libc::SYS_close_range, unshare))?;
    let is_closed =
        |descriptor| expect(plan, Step::Descriptors, flags(descriptor), -(libc::EBADF as isize));
    is_closed(opposite)?;
    for stream in 0..3 {
        let answer = raw(libc::SYS_dup3, [channel, stream, 0, 0, 0, 0]);
        take(Step::Descriptors, answer)?;
        expect(plan, Step::Descriptors, answer, stream as isize)?;
    }
    if plan.close_descriptors {
        take(Step::Descriptors, raw(libc::SYS_close_range, [3, u32::MAX as usize, 0, 0, 0, 0]))?;
        is_closed(channel)?;
    }
    if plan.view.is_none() {
        // No directory of the parent is kept busy meanwhile: the program's own comes with the order.
        raw(libc::SYS_chdir, [c"/".as_ptr() as usize, 0, 0, 0, 0, 0]);
    }
    Ok(())
}

/// The flags of a descriptor, or a negative errno.
fn flags(descriptor: usize) -> isize {
    raw(libc::SYS_fcntl, [descriptor, libc::F_GETFD as usize, 0, 0, 0, 0])
}

/// Waits for the order. The descriptors that come with it close themselves on execution.
pub(super) fn receive<'a>(plan: &ChildPlan) -> Result<Given<'a>, (Step, isize)> {
    let mut order = 0usize;
    let vector = Vector { base: &raw mut order, length: size_of::<usize>() };
    let mut control = Control { length: 0, level: 0, kind: 0, descriptors: [-1; MOST] };
    let mut message = Message {
        name: 0,
        name_length: 0,
        vectors: &raw const vector,
        vector_count: 1,
        control: &raw mut control,
        control_length: size_of::<Control>(),
        flags: 0,
    };
    let closing = libc::MSG_CMSG_CLOEXEC as usize;
    let received = raw(libc::SYS_recvmsg, [0, (&raw mut message) as usize, closing, 0, 0, 0]);
    take(Step::Order, received)?;
    let kind = (control.level, control.kind) == (libc::SOL_SOCKET, libc::SCM_RIGHTS);
    if received as usize != size_of::<usize>() || !kind {
        return Err((Step::Order, -(libc::ECONNRESET as isize)));
    }
    // SAFETY: the parent alone has the other end. It sent the address of an order, which lies in this memory and
    // stays there until the child has memory of its own.
    let order = unsafe { &*std::ptr::with_exposed_provenance::<Order<'a>>(order) };
    let [input, output, error, directory, fifth, sixth] = control.descriptors;
    let (ruleset, program) = if order.has_ruleset { (fifth, sixth) } else { (-1, fifth) };
    // What did not fit below the limit of open files was left out.
    if control.length != HEADER + order.descriptors * size_of::<i32>() {
        return Err((Step::Order, -(libc::EMFILE as isize)));
    }
    expect(plan, Step::Descriptors, flags(directory as usize), libc::FD_CLOEXEC as isize)?;
    let given = |descriptor: i32| (descriptor >= 0).then_some(descriptor);
    let (ruleset, program) = (given(ruleset), given(program));
    Ok(Given { order, streams: [input, output, error], directory, ruleset, program })
}
