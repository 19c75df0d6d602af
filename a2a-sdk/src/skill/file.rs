//! Files in and out.

use super::{FromRequest, IntoParts, Modes, Request, SkillError};
use crate::protocol::{Part, PartContent};
use bytes::Bytes;

/// A file, taken or given by a skill: its bytes, or the address where they are.
///
/// As an argument it is the first part of the message that is one; take `Vec<File>` for all of them. An address is
/// handed over as it came and never fetched: whether to follow an address that a caller chose is for the skill to
/// decide.
///
/// ```
/// use a2a_sdk::File;
///
/// /// Tells how large a file is.
/// #[a2a_sdk::skill]
/// async fn measure(file: File) -> String {
///     match file.bytes() {
///         Some(bytes) => format!("{} bytes", bytes.len()),
///         None => "send me the bytes, not an address".to_owned(),
///     }
/// }
///
/// /// Writes a menu.
/// #[a2a_sdk::skill]
/// async fn menu() -> File {
///     File::new("menu.txt", "text/plain", "Soup of the day")
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Its name.
    pub name: Option<String>,
    /// Its media type.
    pub media_type: Option<String>,
    /// What it holds, or where that is.
    pub content: FileContent,
}

/// What a [`File`] holds, or where that is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileContent {
    /// The bytes.
    Bytes(Bytes),
    /// The address of the bytes.
    Url(String),
}

impl File {
    /// A file of those bytes.
    pub fn new(name: impl Into<String>, media_type: impl Into<String>, bytes: impl Into<Bytes>) -> Self {
        Self {
            name: Some(name.into()),
            media_type: Some(media_type.into()),
            content: FileContent::Bytes(bytes.into()),
        }
    }

    /// A file at that address.
    pub fn url(name: impl Into<String>, media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            name: Some(name.into()),
            media_type: Some(media_type.into()),
            content: FileContent::Url(url.into()),
        }
    }

    /// The bytes, unless there is only an address.
    pub fn bytes(&self) -> Option<&Bytes> {
        match &self.content {
            FileContent::Bytes(bytes) => Some(bytes),
            FileContent::Url(_) => None,
        }
    }

    /// The address, unless the bytes are here.
    pub fn address(&self) -> Option<&str> {
        match &self.content {
            FileContent::Url(url) => Some(url),
            FileContent::Bytes(_) => None,
        }
    }

    /// The file that a part is, if it is one.
    pub(crate) fn of(part: &Part) -> Option<Self> {
        let content = match &part.content {
            PartContent::Raw(bytes) => FileContent::Bytes(bytes.clone()),
            PartContent::Url(url) => FileContent::Url(url.clone()),
            _ => return None,
        };
        Some(Self { name: part.filename.clone(), media_type: part.media_type.clone(), content })
    }
}

impl From<File> for Part {
    fn from(file: File) -> Self {
        let mut part = Part::new(match file.content {
            FileContent::Bytes(bytes) => PartContent::Raw(bytes),
            FileContent::Url(url) => PartContent::Url(url),
        });
        part.filename = file.name;
        part.media_type = file.media_type;
        part
    }
}

/// Files have any media type: an attribute may narrow it.
const ANY_FILE: Modes = Modes::One("application/octet-stream");

impl FromRequest for File {
    const INPUT_MODES: Modes = ANY_FILE;
    const READS: Modes = Modes::One("*/*");

    fn is_present(request: &Request) -> bool {
        request.message().parts.iter().any(|part| File::of(part).is_some())
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        request.message().parts.iter().find_map(File::of).ok_or_else(no_file)
    }
}

/// All files of the message, one at least; `Option<Vec<File>>` takes messages without any.
impl FromRequest for Vec<File> {
    const INPUT_MODES: Modes = ANY_FILE;
    const READS: Modes = Modes::One("*/*");

    fn is_present(request: &Request) -> bool {
        File::is_present(request)
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        let files: Vec<File> = request.message().parts.iter().filter_map(File::of).collect();
        if files.is_empty() { Err(no_file()) } else { Ok(files) }
    }
}

fn no_file() -> SkillError {
    SkillError::invalid_field("message.parts", "expected a file: a raw part, or a url part")
}

impl IntoParts for File {
    const OUTPUT_MODES: Modes = ANY_FILE;
    const GIVES: Modes = Modes::One("*/*");

    fn into_parts(self) -> Result<Vec<Part>, SkillError> {
        Ok(vec![self.into()])
    }
}
