//! What cannot be started, and what starts at the same time.

use super::*;

#[test]
fn what_cannot_be_launched_is_a_typed_error() {
    let folder = folder();
    let run = folder.path().join("run");
    let (confinement, image) = confined(Path::new("/bin/true"));
    let refused = |program: &Path, run: &Path| match confinement.launch(Command::new(program, run))
    {
        Ok(child) => panic!("{program:?} was launched: {:?}", child.wait()),
        Err(error) => error,
    };
    assert!(matches!(refused(Path::new("/absent"), &run), LaunchError::NotFound { .. }));
    assert!(matches!(refused(Path::new("/tmp"), &run), LaunchError::NotExecutable { .. }));
    assert!(matches!(
        refused(&image, &folder.path().join("absent")),
        LaunchError::RunDirectory { .. }
    ));
    std::os::unix::fs::symlink(&run, folder.path().join("link")).unwrap();
    assert!(matches!(
        refused(&image, &folder.path().join("link")),
        LaunchError::RunDirectory { .. }
    ));
    // Not granted for execution, though everybody may execute it.
    assert!(matches!(refused(Path::new("/bin/cat"), &run), LaunchError::NotExecutable { .. }));
    std::fs::write(run.join("text"), "no program").unwrap();
    std::fs::set_permissions(run.join("text"), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(refused(&run.join("text"), &run), LaunchError::NotExecutable { .. }));
    let mut large = Command::new(&image, &run);
    large.arguments = vec!["x".repeat(200_000).into()];
    assert!(matches!(confinement.launch(large), Err(LaunchError::TooLarge(_))));
    let mut nul = Command::new(&image, &run);
    nul.arguments = vec!["a\0b".into()];
    assert!(matches!(confinement.launch(nul), Err(LaunchError::Nul)));
    // The control: the same confinement launches what it was made for.
    let completed = confinement.launch(Command::new(&image, &run)).unwrap().wait().unwrap();
    assert_eq!(completed.ended.exit, Exit::Code(0));
}

#[test]
fn many_threads_launch_at_once_and_each_gets_its_own_program_s_end() {
    let folder = folder();
    let run = folder.path().join("run");
    let (confinement, image) = confined(Path::new("/bin/sh"));
    let confinement: &dyn Confinement = &*confinement;
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (run, image) = (&run, &image);
            scope.spawn(move || {
                for round in 0..50 {
                    let code = (thread * 50 + round) % 256;
                    let mut command = Command::new(image, run);
                    command.arguments =
                        vec!["-c".into(), format!("echo {code}; exit {code}").into()];
                    let completed = confinement.launch(command).unwrap().wait().unwrap();
                    assert_eq!(completed.ended.exit, Exit::Code(code));
                    assert_eq!(text(&completed.output), format!("{code}\n"));
                }
            });
        }
    });
}

#[test]
fn a_start_that_takes_too_long_is_given_up() {
    let folder = folder();
    let limits = Limits { wall_clock_milliseconds: Bound::At(0), ..Limits::default() };
    let (builder, image) = policy_for(Path::new("/bin/true"));
    let confinement = native().prepare(&builder.limits(limits).build().unwrap()).unwrap();
    let outcome = confinement.launch(Command::new(image, folder.path().join("run")));
    match outcome {
        Err(LaunchError::StartTimedOut) => {}
        Err(error) => panic!("{error}"),
        Ok(child) => assert_eq!(child.wait().unwrap().ended.cause, Some(Cause::WallClock)),
    }
}

#[test]
fn a_programs_text_is_read_and_not_written_and_its_neighbour_stays_closed() {
    let folder = folder();
    let base = folder.path().canonicalize().unwrap();
    std::fs::write(base.join("text"), "echo text was read\n").unwrap();
    std::fs::write(base.join("neighbour"), "echo neighbour was read\n").unwrap();
    let (builder, image) = policy_for(Path::new("/bin/bash"));
    let policy = builder.program_text().build().unwrap();
    assert!(String::from_utf8(policy.canonical()).unwrap().contains("\"{program}\""));
    let confinement = native().prepare(&policy).unwrap();
    let script = format!(
        ". {0}/text; . {0}/neighbour; echo changed > {0}/text; echo own > own; cat own",
        base.display()
    );
    let command = || {
        let mut command = Command::new(&image, base.join("run"));
        command.arguments = vec!["-c".into(), script.clone().into()];
        command
    };
    let mut with_text = command();
    with_text.program_text = Some(base.join("text"));
    let completed = confinement.launch(with_text).unwrap().wait().unwrap();
    assert!(text(&completed.output).starts_with("text was read\n"), "{completed:?}");
    assert!(!text(&completed.output).contains("neighbour"), "{completed:?}");
    assert_eq!(std::fs::read(base.join("text")).unwrap(), b"echo text was read\n");
    assert_eq!(std::fs::read(base.join("run/own")).unwrap(), b"own\n");
    let refused = confinement.launch(command());
    assert!(matches!(refused, Err(LaunchError::Unavailable(_))), "{refused:?}");
}
