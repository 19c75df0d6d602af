//! Characters that no reader sees.

use std::borrow::Cow;

/// Whether a character has no shape of its own and changes how others look or whether texts are equal: controls, marks
/// of direction, separators of lines, and marks of no width. Joiners, which letters and emoji need, are none of them.
pub(super) fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}'
                | '\u{feff}'
        )
}

/// The text with such characters written as Rust writes them, `\u{202e}` or `\n`: it stays in its line, and a terminal
/// shows what is there.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\r' | '\t' => shown.extend(letter.escape_debug()),
            letter if is_hidden(letter) => shown.extend(letter.escape_unicode()),
            letter => shown.push(letter),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn letters_of_all_languages_stay_and_the_rest_is_shown() {
        for text in ["Grüße, \"x\" \\ y", "مرحبا", "می\u{200c}خواهم", "👩\u{200d}👩", "按名字"]
        {
            assert_eq!(visible(text), text);
        }
        for (text, shown) in [
            ("a\nb\tc\r", "a\\nb\\tc\\r"),
            ("\u{1b}[31m", "\\u{1b}[31m"),
            ("\u{202e}abc\u{2066}", "\\u{202e}abc\\u{2066}"),
            ("\u{0}\u{7f}\u{9b}", "\\u{0}\\u{7f}\\u{9b}"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }
}
