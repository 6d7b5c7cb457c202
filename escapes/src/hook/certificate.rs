//! Let the library of encryption read a file: certificates are opened in C and raise no event, and what
//! stands in them is told to whoever asks.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;

const CERTIFICATE: Escape = Escape {
    techniques: &["PY-SSLFILES"],
    references: &[
        "https://docs.python.org/3/library/ssl.html",
        "https://docs.python.org/3/library/audit_events.html",
        "CWE-552",
    ],
    decoys: &[&Authority],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "hook/certificate",
        summary: "Read who a certificate outside is for by trusting it",
        witnesses: &["landlock/read-file"],
        python: Some(include_str!("certificate.py")),
        ..CERTIFICATE
    },
    Escape {
        id: "hook/certificate.errors",
        summary: "Tell by its errors which files outside are certificates",
        witnesses: &["landlock/read-file"],
        python: Some(include_str!("certificate.errors.py")),
        ..CERTIFICATE
    },
];

/// A certificate outside whose subject is the token. Clue: `certificate`, its path; `certificates`, a
/// directory in which the file `N` is a certificate where bit `N` of the token is set.
#[derive(Debug)]
struct Authority;

impl Decoy for Authority {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let (one, many) = (site.outside.join("authority.pem"), site.outside.join("authorities"));
        fs::write(&one, pem(&certificate(site.token)))?;
        fs::create_dir(&many)?;
        let bits = site.token.chars().filter_map(|digit| digit.to_digit(16));
        let bits = bits.flat_map(|digit| [8, 4, 2, 1].map(|bit| digit & bit != 0));
        for (number, bit) in bits.enumerate() {
            let text = if bit { pem(&certificate("Authority")) } else { "no certificate".into() };
            fs::write(many.join(number.to_string()), text)?;
        }
        Ok(Box::new(Files { one, many }))
    }
}

/// One value of DER (X.690): its kind, its length in one or two bytes, its content.
fn value(kind: u8, content: &[&[u8]]) -> Vec<u8> {
    let content = content.concat();
    let length = content.len().to_be_bytes();
    let [.., high, low] = length;
    let length: &[u8] = match content.len() {
        0..0x80 => &[low],
        0x80..0x100 => &[0x81, low],
        _ => &[0x82, high, low],
    };
    [&[kind], length, &content].concat()
}

/// A certificate of the first version (RFC 5280), which needs no extension to be an authority's. Its key
/// and its signature are zeros: nobody checks what he trusts.
fn certificate(subject: &str) -> Vec<u8> {
    const SEQUENCE: u8 = 0x30;
    const SET: u8 = 0x31;
    const BITS: u8 = 3;
    let algorithm = value(SEQUENCE, &[&value(6, &[&[0x2b, 0x65, 0x70]])]);
    let common_name = value(6, &[&[0x55, 4, 3]]);
    let attribute = value(SEQUENCE, &[&common_name, &value(12, &[subject.as_bytes()])]);
    let name = value(SEQUENCE, &[&value(SET, &[&attribute])]);
    let from_to =
        value(SEQUENCE, &[&value(23, &[b"200101000000Z"]), &value(23, &[b"490101000000Z"])]);
    let key = value(SEQUENCE, &[&algorithm, &value(BITS, &[&[0; 33]])]);
    let parts = [&value(2, &[&[1]]), &algorithm, &name, &from_to, &name, &key];
    let signed = value(SEQUENCE, &parts.map(Vec::as_slice));
    value(SEQUENCE, &[&signed, &algorithm, &value(BITS, &[&[0; 65]])])
}

fn pem(certificate: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(certificate);
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

#[derive(Debug)]
struct Files {
    one: PathBuf,
    many: PathBuf,
}

impl Placed for Files {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("certificate", self.one.clone().into()), ("certificates", self.many.clone().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        Vec::new()
    }
}
