//! What a program reads and writes: its input, its output, and the descriptors that it is not to have.

use super::*;

#[test]
fn input_is_fed_and_ends() {
    let folder = folder();
    let (confinement, image) = confined(Path::new("/bin/cat"));
    let mut command = Command::new(image, folder.path().join("run"));
    command.input = Input::Fed;
    let mut child = confinement.launch(command).unwrap();
    let sent: Vec<u8> = (0..3_000_000u32).map(|number| number as u8).collect();
    child.feed(&sent);
    child.close_input();
    assert_eq!(child.wait().unwrap().output, sent);
}

#[test]
fn a_file_as_input_is_left_where_the_program_stopped_reading() {
    let folder = folder();
    let path = folder.path().join("input");
    std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
    let file = std::fs::File::open(&path).unwrap();
    let (confinement, image) = confined(Path::new("/bin/true"));
    let mut command = Command::new(image, folder.path().join("run"));
    command.input = Input::From(file.try_clone().unwrap().into());
    confinement.launch(command).unwrap().wait().unwrap();
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut &file, &mut rest).unwrap();
    assert_eq!(rest, "one\ntwo\nthree\n");
}

#[test]
fn a_program_that_writes_into_its_own_input_does_not_move_the_caller_s_file_back() {
    let folder = folder();
    let path = folder.path().join("input");
    std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
    let mut file = std::fs::File::open(&path).unwrap();
    // What the caller has read already.
    std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(8)).unwrap();
    let (confinement, image) = confined(Path::new("/bin/bash"));
    let mut command = Command::new(image, folder.path().join("run"));
    // The name in /proc opens the other end, which no right on files denies.
    let script = "read line; echo $line; echo four fifty-six > /proc/self/fd/0 && echo written";
    command.arguments = vec!["-c".into(), script.into()];
    command.input = Input::From(file.try_clone().unwrap().into());
    let completed = confinement.launch(command).unwrap().wait().unwrap();
    assert_eq!(text(&completed.output), "three\nwritten\n");
    let position = std::io::Seek::stream_position(&mut file).unwrap();
    assert!(position >= 8, "{position}");
}

#[test]
fn the_output_cap_ends_a_program_that_floods_and_cuts_at_the_cap() {
    let folder = folder();
    let limits = Limits { output_bytes: Bound::At(10_000), ..Limits::default() };
    let completed = shell(
        &native(),
        limits,
        &folder.path().join("run"),
        "while :; do echo 0123456789012345678901234567890123456789; done",
    );
    assert_eq!(completed.ended.cause, Some(Cause::Output));
    assert_eq!(completed.output.len(), 10_000);
}

#[test]
fn descriptors_of_the_host_are_inherited_bare_and_closed_confined() {
    let folder = folder();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "token").unwrap();
    let file = std::fs::File::open(&secret).unwrap();
    // A duplicate without close-on-exec, which is what a careless host leaves open.
    let leaked = nix::unistd::dup(&file).unwrap();
    let script = format!("read x <&{}; echo $x", leaked.as_raw_fd());
    let run = folder.path().join("run");
    assert_eq!(text(&shell(&none(), Limits::default(), &run, &script).output), "token\n");
    std::io::Seek::rewind(&mut &file).unwrap();
    let confined = shell(&native(), Limits::default(), &run, &script);
    assert!(!text(&confined.output).contains("token"), "{confined:?}");
}
