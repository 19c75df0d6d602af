//! Media types, by the grammar of RFC 6838; no list of known ones, new ones are made every day.

/// What is wrong with a media type, and what to type instead.
pub(crate) fn check(mode: &str) -> Result<(), (String, String)> {
    let near = near_miss(mode);
    if let Some(meant) = near {
        return Err((format!("`{mode}` is not a media type"), format!("write \"{meant}\"")));
    }
    let essence = mode.split(';').next().unwrap_or_default().trim_end();
    let whole = match essence.split_once('/') {
        Some((kind, subtype)) => is_name(kind) && is_name(subtype),
        None => false,
    };
    if whole && parameters(mode) {
        return Ok(());
    }
    Err((
        format!("`{mode}` is not a media type"),
        "write a type and a subtype, such as \"text/plain\" or \"application/json\"".to_owned(),
    ))
}

/// RFC 6838, 4.2: a letter or a digit first, then these signs too, 127 at most. A star is a range (RFC 9110, 12.5.1).
fn is_name(name: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte);
    name == "*"
        || (name.len() <= 127
            && name.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric)
            && name.bytes().all(sign))
}

/// Whether all parameters are `name=value`.
fn parameters(mode: &str) -> bool {
    mode.split(';').skip(1).all(|parameter| match parameter.trim().split_once('=') {
        Some((name, value)) => is_name(name) && !value.is_empty(),
        None => false,
    })
}

/// What people type for the media type that they mean.
fn near_miss(mode: &str) -> Option<&'static str> {
    Some(match mode.trim().trim_start_matches('.').to_ascii_lowercase().as_str() {
        "text" | "txt" | "plain" | "string" | "text/txt" | "text/text" | "plain/text" | "text\\plain" => {
            "text/plain"
        }
        "json" | "data" | "struct" | "text/json" | "application-json" => "application/json",
        "md" | "markdown" | "text/md" => "text/markdown",
        "html" | "application/html" => "text/html",
        "csv" | "application/csv" => "text/csv",
        "xml" => "application/xml",
        "pdf" | "text/pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" | "image/jpg" => "image/jpeg",
        "gif" => "image/gif",
        "svg" | "image/svg" => "image/svg+xml",
        "webp" => "image/webp",
        "mp3" | "audio/mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "mp4" => "video/mp4",
        "zip" => "application/zip",
        "file" | "binary" | "bytes" => "application/octet-stream",
        "image" => "image/*",
        "audio" => "audio/*",
        "video" => "video/*",
        "any" | "*" => "*/*",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn the_grammar_is_that_of_the_registry() {
        for mode in
            ["text/plain", "application/vnd.acme.trip+json", "image/*", "*/*", "text/plain; charset=utf-8"]
        {
            assert_eq!(check(mode), Ok(()), "{mode}");
        }
        for mode in [
            "",
            "/",
            "text/",
            "/plain",
            "te xt/plain",
            "text/pl ain",
            "-a/b",
            "a/b/c",
            "text/plain; utf8",
            " text/html",
        ] {
            assert!(check(mode).is_err(), "{mode}");
        }
    }

    #[test]
    fn what_was_meant_is_suggested() {
        for (typed, meant) in [("text", "text/plain"), ("image/jpg", "image/jpeg"), (".md", "text/markdown")]
        {
            let help = check(typed).err().map(|(_, help)| help);
            assert_eq!(help, Some(format!("write \"{meant}\"")));
        }
    }
}
