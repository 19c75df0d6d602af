//! From the `.proto` to Rust, without protoc.

use prost::Message as _;
use prost_types::FileDescriptorSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The package that is generated, which is also the name of its file.
const PACKAGE: &str = "lf.a2a.v1";

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
    let descriptors = compile(&sdk)?;
    let code = rust(descriptors.clone())?;
    Ok(vec![
        Generated { path: generated.join(format!("{PACKAGE}.rs")), content: code },
        Generated {
            path: generated.join("descriptors.bin"),
            content: without_source(descriptors).encode_to_vec(),
        },
    ])
}

fn compile(sdk: &Path) -> Result<FileDescriptorSet> {
    Ok(protox::compile(["lf/a2a/v1/a2a.proto"], [sdk.join("proto")])?)
}

/// The code of messages, client and server.
fn rust(descriptors: FileDescriptorSet) -> Result<Vec<u8>> {
    let directory = std::env::temp_dir().join(format!("a2a-codegen-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let compiled = tonic_prost_build::configure()
        // Whoever brings a channel of their own needs none of tonic's.
        .build_transport(false)
        .bytes(".")
        // The order of a map's entries is then always the same.
        .btree_map(".")
        // They hold secrets, so their `Debug` is written by hand.
        .skip_debug([".lf.a2a.v1.TaskPushNotificationConfig", ".lf.a2a.v1.AuthenticationInfo"])
        .out_dir(&directory)
        .compile_fds(descriptors);
    let code = compiled.and_then(|()| fs::read(directory.join(format!("{PACKAGE}.rs"))));
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
