//! Names for people, made of names for programs.

/// The words of an identifier, the first letter in upper case: `price_trip` and `PriceTrip` give `Price trip`.
pub(crate) fn words(ident: &str) -> String {
    let mut text = String::new();
    let mut previous: Option<char> = None;
    for letter in ident.chars() {
        if letter == '_' {
            if !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
        } else if text.is_empty() {
            text.extend(letter.to_uppercase());
        } else if letter.is_uppercase()
            && previous.is_some_and(|before| before.is_lowercase() || before.is_numeric())
        {
            text.push(' ');
            text.extend(letter.to_lowercase());
        } else {
            text.push(letter);
        }
        previous = Some(letter);
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn both_styles_are_split() {
        assert_eq!(words("price_trip"), "Price trip");
        assert_eq!(words("PriceTrip"), "Price trip");
        assert_eq!(words("_hello__world_"), "Hello world");
        assert_eq!(words("x"), "X");
        assert_eq!(words("HTTPFetch2Go"), "HTTPFetch2 go");
        assert_eq!(words("übung"), "Übung");
    }
}
