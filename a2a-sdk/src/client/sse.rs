//! Server-sent events, read from bytes as they come (the event stream format of the WHATWG).

use std::collections::VecDeque;

/// An event of a stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Frame {
    /// Its lines of data, joined.
    pub(super) data: Vec<u8>,
    /// The id that it was sent with.
    pub(super) id: Option<String>,
}

/// A line or an event is larger than it may be.
#[derive(Debug, PartialEq)]
pub(super) struct TooLarge;

/// What is left of the input until a line, and then an event, is whole. It never holds more than two times its limit.
#[derive(Debug)]
pub(super) struct Parser {
    limit: usize,
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    id: Option<String>,
    /// How long the server wants clients to wait before they come back, in milliseconds.
    retry: Option<u64>,
    /// A line feed that comes now belongs to the line before.
    after_cr: bool,
    /// No line has ended yet, so a byte order mark may come.
    first: bool,
}

impl Parser {
    /// A parser for one stream, none of whose events is larger than that many bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, line: Vec::new(), data: None, id: None, retry: None, after_cr: false, first: true }
    }

    /// How long the server wants clients to wait before they come back, in milliseconds.
    pub(super) fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// Reads more bytes, and gives the events that are whole with them.
    pub(super) fn push(&mut self, mut bytes: &[u8], frames: &mut VecDeque<Frame>) -> Result<(), TooLarge> {
        if self.after_cr && !bytes.is_empty() {
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            self.after_cr = false;
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.extend(&bytes[..end])?;
            let line = std::mem::take(&mut self.line);
            self.read(&line, frames)?;
            // The buffer is used again, unless a line made it large.
            self.line = line;
            self.line.clear();
            self.line.shrink_to(16 * 1024);
            let rest = &bytes[end + 1..];
            bytes = match (bytes[end], rest) {
                (b'\r', []) => {
                    self.after_cr = true;
                    rest
                }
                (b'\r', _) => rest.strip_prefix(b"\n").unwrap_or(rest),
                _ => rest,
            };
        }
        self.extend(bytes)
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<(), TooLarge> {
        // The name of a field and what is around it do not count.
        if self.line.len() + bytes.len() > self.limit.saturating_add(16) {
            return Err(TooLarge);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, line: &[u8], frames: &mut VecDeque<Frame>) -> Result<(), TooLarge> {
        let line = if self.first { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        self.first = false;
        if line.is_empty() {
            let id = self.id.take();
            if let Some(data) = self.data.take() {
                frames.push_back(Frame { data, id });
            }
            return Ok(());
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => {
                let value = &line[colon + 1..];
                (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &[][..]),
        };
        match field {
            b"data" => {
                let data = match &mut self.data {
                    Some(data) => {
                        data.push(b'\n');
                        data
                    }
                    none => none.insert(Vec::with_capacity(value.len())),
                };
                if data.len() + value.len() > self.limit {
                    return Err(TooLarge);
                }
                data.extend_from_slice(value);
            }
            b"id" if !value.contains(&0) => self.id = Some(String::from_utf8_lossy(value).into_owned()),
            b"retry" if value.iter().all(u8::is_ascii_digit) => {
                self.retry =
                    std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()).or(self.retry);
            }
            // A comment has no name; the name of an event says nothing here that its data does not.
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::{any, prop};
    use proptest::{prop_assert, prop_assert_eq, proptest};

    fn parse<'a>(limit: usize, chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<Frame>, TooLarge> {
        let (mut parser, mut frames) = (Parser::new(limit), VecDeque::new());
        for chunk in chunks {
            parser.push(chunk, &mut frames)?;
        }
        Ok(frames.into())
    }

    fn data(text: &str) -> Vec<String> {
        let frames = parse(1000, [text.as_bytes()]).unwrap_or_default();
        frames.iter().map(|frame| String::from_utf8_lossy(&frame.data).into_owned()).collect()
    }

    #[test]
    fn lines_end_in_three_ways_and_data_is_joined() {
        for (text, events) in [
            ("data: a\n\n", &["a"][..]),
            ("data: a\r\n\r\n", &["a"]),
            ("data: a\r\rdata: b\r\r", &["a", "b"]),
            ("data:a\n\ndata:  b\n\n", &["a", " b"]),
            ("data: {\ndata: }\n\n", &["{\n}"]),
            ("data\n\n", &[""]),
            ("data\ndata\n\n", &["\n"]),
            (":\n\n: x\ndata: a\n\n", &["a"]),
            ("event: error\ndata: a\n\n", &["a"]),
            ("event: error\n\ndata: a\n\n", &["a"]),
            ("\u{feff}data: a\n\n", &["a"]),
            ("data: a\n\n\u{feff}data: b\n\n", &["a"]),
            ("data: a\n\ndata: b", &["a"]),
            ("data: a\n\ndata: b\n", &["a"]),
            ("Data: a\n data: a\n\n", &[]),
            ("data: a\n\n\n\ndata: b\n\n", &["a", "b"]),
        ] {
            assert_eq!(data(text), events, "{text:?}");
        }
    }

    #[test]
    fn an_id_belongs_to_its_event() {
        let frames = parse(99, [&b"id: 1\ndata: a\n\ndata: b\n\nid: x\0\ndata: c\n\nid\ndata: d\n\n"[..]]);
        let ids: Vec<_> = frames.unwrap_or_default().into_iter().map(|frame| frame.id).collect();
        assert_eq!(ids, [Some("1".to_owned()), None, None, Some(String::new())]);
    }

    #[test]
    fn the_time_to_wait_is_a_number() {
        for (text, retry) in [("retry: 250\n", Some(250)), ("retry: 2s\n", None), ("retry\n", None)] {
            let mut parser = Parser::new(99);
            assert_eq!(parser.push(text.as_bytes(), &mut VecDeque::new()), Ok(()));
            assert_eq!(parser.retry(), retry, "{text:?}");
        }
    }

    #[test]
    fn no_line_and_no_event_is_larger_than_the_limit() {
        let line = vec![b'x'; 1_000];
        assert_eq!(parse(64, [&line[..]]), Err(TooLarge));
        assert_eq!(parse(64, line.chunks(7)), Err(TooLarge));
        assert_eq!(parse(64, std::iter::repeat_n(&b"data: 0123456789\n"[..], 20)), Err(TooLarge));
        assert_eq!(
            parse(64, std::iter::repeat_n(&b"data: 0123456789\n\n"[..], 20)).map(|all| all.len()),
            Ok(20)
        );
        assert_eq!(parse(10, [&b"data: 0123456789\n\n"[..]]).map(|all| all.len()), Ok(1));
    }

    /// Pieces of streams, and a few of garbage.
    fn piece() -> impl proptest::strategy::Strategy<Value = Vec<u8>> {
        let pieces: Vec<&[u8]> = vec![
            b"data: {\"a\":1}",
            b"data:",
            b"data",
            b"id: t:7",
            b"id",
            b"event: error",
            b"retry: 10",
            b": life",
            b"\n",
            b"\n",
            b"\r",
            b"\r\n",
            b"\r\n",
            "data: \u{65e5}\u{672c}".as_bytes(),
            b"\xef\xbb\xbf",
            b"\xff\x00",
            b":",
        ];
        prop::sample::select(pieces).prop_map(<[u8]>::to_vec)
    }

    use proptest::strategy::Strategy;

    proptest! {
        #[test]
        fn however_a_stream_is_cut_its_events_are_the_same(
            pieces in vec(piece(), 0..60),
            sizes in vec(1_usize..9, 1..40),
        ) {
            let stream = pieces.concat();
            let (mut chunks, mut rest) = (Vec::new(), &stream[..]);
            for size in sizes.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (chunk, left) = rest.split_at((*size).min(rest.len()));
                chunks.push(chunk);
                rest = left;
            }
            prop_assert_eq!(parse(4096, chunks), parse(4096, [&stream[..]]));
        }

        #[test]
        fn garbage_is_read_within_bounds(chunks in vec(vec(any::<u8>(), 0..200), 0..50)) {
            let (mut parser, mut frames) = (Parser::new(64), VecDeque::new());
            for chunk in &chunks {
                if parser.push(chunk, &mut frames).is_err() {
                    break;
                }
                prop_assert!(parser.line.len() <= 80);
                prop_assert!(parser.data.as_ref().is_none_or(|data| data.len() <= 64));
                prop_assert!(frames.iter().all(|frame| frame.data.len() <= 64));
            }
        }
    }
}
