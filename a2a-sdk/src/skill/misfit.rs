//! What is told of data that does not fit, in words for the caller: the path, and no names of Rust types.

use super::SkillError;

/// The longest path and the longest text, in bytes: the caller's own data is in both, and what tells of it goes into
/// errors and into questions that are stored.
const LONGEST: usize = 1_000;

/// The error for data of that field.
pub(super) fn misfit(field: &str, error: &serde_path_to_error::Error<serde_json::Error>) -> SkillError {
    let path = error.path().to_string();
    let mut field = match path.as_str() {
        "." => field.to_owned(),
        path if path.starts_with('[') => format!("{field}{path}"),
        path => format!("{field}.{path}"),
    };
    let text = error.inner().to_string();
    if let Some(name) = missing(&text) {
        // The path leads to the object that lacks it.
        field = format!("{field}.{name}");
        return SkillError::invalid_field(cut(field), "is missing");
    }
    SkillError::invalid_field(cut(field), cut(plain(&text)))
}

/// A text without its middle, where it is too long: what is wanted stands at the end.
fn cut(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let half = LONGEST / 2;
    let (head, tail) = (text.floor_char_boundary(half), text.ceil_char_boundary(text.len() - half));
    format!("{}[..]{}", &text[..head], &text[tail..])
}

/// The field that an error says is missing.
fn missing(text: &str) -> Option<&str> {
    let (name, rest) = text.strip_prefix("missing field `")?.split_once('`')?;
    (rest.is_empty() || rest.starts_with(" at line ")).then_some(name)
}

/// The text of an error, with what JSON calls things.
fn plain(text: &str) -> String {
    let (text, place) = match text.rfind(" at line ") {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    if text.starts_with("data did not match any variant of untagged enum ") {
        return format!("fits none of the forms it may have{place}");
    }
    if let Some(rest) = text.strip_prefix("unknown variant ") {
        return format!("unknown value {rest}{place}");
    }
    // The last: what was found may hold anything.
    match text.rsplit_once("expected ") {
        Some((found, wanted)) => format!("{found}expected {}{place}", form(wanted)),
        None => format!("{text}{place}"),
    }
}

/// What a Rust type is in JSON.
fn form(wanted: &str) -> String {
    let objects = ["struct ", "struct variant ", "internally tagged enum ", "adjacently tagged enum "];
    let counted = |rest: &str| rest.split_once(" with ").map(|(_, count)| format!("a list of {count}"));
    if let Some(rest) = ["tuple struct ", "tuple variant "].iter().find_map(|kind| wanted.strip_prefix(kind))
    {
        return counted(rest).unwrap_or_else(|| "a list".to_owned());
    }
    if objects.iter().any(|kind| wanted.starts_with(kind)) {
        return "an object".to_owned();
    }
    match wanted {
        "unit" => "null",
        "a map" => "an object",
        "a sequence" => "a list",
        "string or map" => "a string or an object",
        "variant identifier" => "a string",
        wanted if wanted.starts_with("unit struct ") => "null",
        wanted if wanted.starts_with("enum ") => "a string or an object",
        wanted => wanted,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let text = cut(format!("invalid type: string \"{}\", expected u8", "é".repeat(1_000_000)));
        assert!(
            text.starts_with("invalid type: string \"éé") && text.ends_with("éé\", expected u8"),
            "{text}"
        );
        assert!(text.contains("é[..]é") && text.len() <= LONGEST + 4);
        assert_eq!(cut("x".repeat(LONGEST)), "x".repeat(LONGEST));
    }

    #[test]
    fn rust_has_no_word_in_it() {
        for (text, plain_text) in [
            ("invalid type: string \"two\", expected u8", "invalid type: string \"two\", expected u8"),
            (
                "invalid type: integer `5`, expected struct Trip",
                "invalid type: integer `5`, expected an object",
            ),
            (
                "invalid type: string \"x, expected struct Trip\", expected struct Trip at line 1 column 9",
                "invalid type: string \"x, expected struct Trip\", expected an object at line 1 column 9",
            ),
            (
                "invalid length 1, expected tuple struct P with 2 elements",
                "invalid length 1, expected a list of 2 elements",
            ),
            (
                "invalid length 1, expected struct Trip with 2 elements",
                "invalid length 1, expected an object",
            ),
            ("data did not match any variant of untagged enum Kind", "fits none of the forms it may have"),
            ("unknown variant `x`, expected `a` or `b`", "unknown value `x`, expected `a` or `b`"),
            ("EOF while parsing a value at line 1 column 0", "EOF while parsing a value at line 1 column 0"),
        ] {
            assert_eq!(plain(text), plain_text);
        }
    }
}
