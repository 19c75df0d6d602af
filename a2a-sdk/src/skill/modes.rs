//! Media types as constants, so that they can be checked while compiling.

/// The media types that a type reads or gives, as a tree: constants of generic types cannot be sized slices.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Modes {
    /// None at all.
    None,
    /// One media type.
    One(&'static str),
    /// Those of both.
    Both(&'static Modes, &'static Modes),
}

impl Modes {
    /// Whether it names exactly that media type; parameters and case do not count.
    ///
    /// ```
    /// # use a2a_sdk::Modes;
    /// const BOTH: Modes = Modes::Both(&Modes::One("text/plain"), &Modes::One("image/png"));
    /// assert!(BOTH.contains("Text/Plain; charset=utf-8"));
    /// assert!(!BOTH.contains("image/*"));
    /// ```
    pub const fn contains(&self, mode: &str) -> bool {
        match self {
            Self::None => false,
            Self::One(known) => same(known.as_bytes(), mode.as_bytes()),
            Self::Both(one, other) => one.contains(mode) || other.contains(mode),
        }
    }

    /// Whether something of that media type can be read: by name, or by a range such as `image/*` or `*/*`.
    ///
    /// ```
    /// # use a2a_sdk::Modes;
    /// assert!(Modes::One("image/*").reads("image/png"));
    /// assert!(Modes::One("*/*").reads("image/png"));
    /// assert!(!Modes::One("text/plain").reads("image/png"));
    /// ```
    pub const fn reads(&self, mode: &str) -> bool {
        match self {
            Self::None => false,
            Self::One(known) => covers(known.as_bytes(), mode.as_bytes()),
            Self::Both(one, other) => one.reads(mode) || other.reads(mode),
        }
    }

    /// Lists the media types, each once, in the order they were named.
    ///
    /// ```
    /// # use a2a_sdk::Modes;
    /// const TEXT: Modes = Modes::One("text/plain");
    /// assert_eq!(Modes::Both(&TEXT, &TEXT).to_vec(), ["text/plain"]);
    /// ```
    pub fn to_vec(&self) -> Vec<&'static str> {
        let mut list = Vec::new();
        self.add_to(&mut list);
        list
    }

    fn add_to(&self, list: &mut Vec<&'static str>) {
        match self {
            Self::None => {}
            Self::One(mode) if list.contains(mode) => {}
            Self::One(mode) => list.push(mode),
            Self::Both(one, other) => {
                one.add_to(list);
                other.add_to(list);
            }
        }
    }
}

/// Whether the range `known` covers `mode`.
const fn covers(known: &[u8], mode: &[u8]) -> bool {
    if same(known, b"*/*") {
        return true;
    }
    // Of `image/*`, what stands before the star is compared with as much of the mode.
    if let [prefix @ .., b'/', b'*'] = known {
        return mode.len() > prefix.len()
            && mode[prefix.len()] == b'/'
            && same(prefix, mode.split_at(prefix.len()).0);
    }
    same(known, mode)
}

/// Whether two media types are the same but for case and parameters (RFC 9110, 8.3.1).
const fn same(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (essence(one), essence(other));
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if !one[at].eq_ignore_ascii_case(&other[at]) {
            return false;
        }
        at += 1;
    }
    true
}

/// A media type without its parameters.
const fn essence(mode: &[u8]) -> &[u8] {
    let mut end = 0;
    while end < mode.len() && mode[end] != b';' {
        end += 1;
    }
    while end > 0 && mode[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    mode.split_at(end).0
}

#[cfg(test)]
mod tests {
    use super::Modes;

    #[test]
    fn a_range_covers_its_types_alone() {
        let images = Modes::One("image/*");
        assert!(images.reads("IMAGE/png"));
        assert!(!images.reads("imagery/png"));
        assert!(!images.reads("image"));
        assert!(!images.contains("image/png"));
    }

    #[test]
    fn none_reads_nothing() {
        assert!(!Modes::None.reads("text/plain"));
        assert!(Modes::None.to_vec().is_empty());
    }
}
