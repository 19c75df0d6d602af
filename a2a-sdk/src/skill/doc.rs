//! What a doc comment says of a skill.

use std::borrow::Cow;

/// The text of a doc comment up to its first heading, without the line breaks of the source.
///
/// `docs` are the values of the `doc` attributes: one a line for `///`, many lines for `/** */` and `include_str!`.
pub(crate) fn description(docs: &[&str]) -> String {
    let mut text = String::new();
    let mut fenced = false;
    let docs = docs.iter().map(|doc| unstarred(doc)).collect::<Vec<_>>();
    for line in docs.iter().flat_map(|doc| doc.split('\n')) {
        // The blank after `///` is no indent.
        let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
        if !fenced && is_heading(line) {
            break;
        }
        let fence = line.trim_start().starts_with("```");
        if !text.is_empty() {
            text.push(if fenced || fence || !continues(&text, line) { '\n' } else { ' ' });
        }
        if !(text.is_empty() && line.is_empty()) {
            text.push_str(line);
        }
        fenced ^= fence;
    }
    text.truncate(text.trim_end().len());
    text
}

/// Whether a line goes on with the sentence before it, as markdown has it; lists, tables and quotes do not.
fn continues(text: &str, line: &str) -> bool {
    let begun = !text.ends_with('\n') && !text.ends_with("```");
    let plain = line.starts_with(|first: char| first.is_alphabetic() || "`\"'([&$".contains(first))
        && !line.starts_with("```");
    begun && plain
}

/// `# Errors`, with one to six signs and a blank after them (CommonMark 4.2).
fn is_heading(line: &str) -> bool {
    let rest = line.trim_start().trim_start_matches('#');
    let signs = line.trim_start().len() - rest.len();
    (1..=6).contains(&signs) && (rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// A `/** */` comment without the stars that lead its lines.
fn unstarred(doc: &str) -> Cow<'_, str> {
    let starred = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('*');
    if !doc.contains('\n') || doc.lines().skip(1).all(|line| line.trim().is_empty()) {
        return doc.into();
    }
    if !doc.lines().skip(1).all(starred) {
        return doc.into();
    }
    let bare = |line: &str| line.trim_start().trim_start_matches('*').to_owned();
    doc.lines().map(bare).collect::<Vec<_>>().join("\n").into()
}

#[cfg(test)]
mod tests {
    use super::description;

    #[test]
    fn a_paragraph_is_one_line() {
        assert_eq!(description(&[" Prices a trip", " in euros."]), "Prices a trip in euros.");
    }

    #[test]
    fn paragraphs_stay_apart() {
        assert_eq!(description(&[" Prices.", "", " Knows", " discounts."]), "Prices.\n\nKnows discounts.");
    }

    #[test]
    fn it_ends_at_the_first_heading() {
        assert_eq!(description(&[" Prices.", "", " # Errors", " Never."]), "Prices.");
        assert_eq!(description(&[" # Title"]), "");
        assert_eq!(description(&[" Ticket #5", " #hash tags"]), "Ticket #5\n#hash tags");
    }

    #[test]
    fn lists_and_code_keep_their_lines() {
        assert_eq!(description(&[" Takes:", " - a", " - b"]), "Takes:\n- a\n- b");
        assert_eq!(
            description(&[" So:", " ```sh", " # not a heading", " ```"]),
            "So:\n```sh\n# not a heading\n```"
        );
    }

    #[test]
    fn a_block_comment_loses_its_stars() {
        assert_eq!(description(&["\n * Prices\n * a trip.\n "]), "Prices a trip.");
    }

    #[test]
    fn a_whole_file_is_read_as_one() {
        assert_eq!(description(&["Prices\na trip.\n\n* a\n* b\n\n# More\n"]), "Prices a trip.\n\n* a\n* b");
    }
}
