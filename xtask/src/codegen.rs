//! From the `.proto` to Rust, without protoc.

use prost::Message as _;
use prost_types::FileDescriptorSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A package that is generated.
struct Package {
    /// Its name, which is also that of its file.
    name: &'static str,
    proto: &'static str,
    descriptors: &'static str,
    /// The messages that hold secrets, whose `Debug` is written by hand.
    secret: [&'static str; 2],
}

const PACKAGES: [Package; 2] = [
    Package {
        name: "lf.a2a.v1",
        proto: "lf/a2a/v1/a2a.proto",
        descriptors: "descriptors.bin",
        secret: [".lf.a2a.v1.TaskPushNotificationConfig", ".lf.a2a.v1.AuthenticationInfo"],
    },
    Package {
        name: "a2a.v1",
        proto: "a2a/v1/a2a.proto",
        descriptors: "descriptors-0.3.bin",
        secret: [".a2a.v1.PushNotificationConfig", ".a2a.v1.AuthenticationInfo"],
    },
];

/// Writes the generated files.
pub(crate) fn write() -> Result<()> {
    for Generated { path, content } in generate()? {
        fs::write(&path, content).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("wrote {}", path.display());
    }
    Ok(())
}

/// Fails, and names the file, if a file is not what [`write()`] would write.
pub(crate) fn check() -> Result<()> {
    let files = generate()?;
    let stale: Vec<String> = files
        .iter()
        .filter(|file| fs::read(&file.path).ok().as_ref() != Some(&file.content))
        .map(|file| format!("{} is out of date; run `cargo xtask codegen`", file.path.display()))
        .collect();
    if stale.is_empty() { Ok(()) } else { Err(stale.join("\n").into()) }
}

struct Generated {
    path: PathBuf,
    content: Vec<u8>,
}

fn generate() -> Result<Vec<Generated>> {
    let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("a2a-sdk");
    let generated = sdk.join("src/grpc/generated");
    let mut files = Vec::new();
    for package in &PACKAGES {
        let descriptors = protox::compile([package.proto], [sdk.join("proto")])?;
        let code = rust(package, descriptors.clone())?;
        files.push(Generated { path: generated.join(format!("{}.rs", package.name)), content: code });
        files.push(Generated {
            path: generated.join(package.descriptors),
            content: without_source(descriptors).encode_to_vec(),
        });
    }
    Ok(files)
}

/// The code of messages, client and server.
fn rust(package: &Package, descriptors: FileDescriptorSet) -> Result<Vec<u8>> {
    let directory = std::env::temp_dir().join(format!("a2a-codegen-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let compiled = tonic_prost_build::configure()
        // Whoever brings a channel of their own needs none of tonic's.
        .build_transport(false)
        .bytes(".")
        // The order of a map's entries is then always the same.
        .btree_map(".")
        .skip_debug(package.secret)
        .out_dir(&directory)
        .compile_fds(descriptors);
    let code = compiled.and_then(|()| fs::read(directory.join(format!("{}.rs", package.name))));
    fs::remove_dir_all(&directory)?;
    Ok(code?)
}

/// The descriptors as reflection serves them: nobody needs to know where in a file a message stood.
fn without_source(mut descriptors: FileDescriptorSet) -> FileDescriptorSet {
    for file in &mut descriptors.file {
        file.source_code_info = None;
    }
    descriptors
}
