//! Which lines of a text have changed.

use super::visible::visible;
use std::fmt::Write;

/// How many unchanged lines are shown around changed ones.
const AROUND: usize = 3;

/// How many pairs of lines are compared at most; beyond that, all of one text is said to be replaced by all of the other.
const PAIRS: usize = 16_000_000;

#[derive(Clone, Copy, PartialEq)]
enum Line<'a> {
    Same(&'a str),
    Gone(&'a str),
    New(&'a str),
}

/// The lines that differ, `-` before those of the old text and `+` before the new ones, with some around them. Places
/// further down begin with the number of the line in the old text. What no reader sees is shown by its number: two lines
/// that look alike would explain nothing.
pub(super) fn lines(old: &str, new: &str) -> String {
    let lines = compare(&split(old), &split(new));
    let changed = |line: &Line<'_>| !matches!(line, Line::Same(_));
    let mut text = String::new();
    let (mut number, mut shown) = (1, true);
    for (at, line) in lines.iter().enumerate() {
        let near = lines[at.saturating_sub(AROUND)..lines.len().min(at + AROUND + 1)].iter().any(changed);
        if near && !shown {
            _ = writeln!(text, "  ... line {number}");
        }
        shown = near;
        let (sign, line) = match line {
            Line::Same(line) => (' ', line),
            Line::Gone(line) => ('-', line),
            Line::New(line) => ('+', line),
        };
        number += usize::from(sign != '+');
        if near {
            // Writing to a string does not fail.
            _ = writeln!(text, "{sign} {}", visible(line));
        }
    }
    text.truncate(text.trim_end_matches('\n').len());
    text
}

/// The lines of a text. That the last one ends is a difference as well.
fn split(text: &str) -> Vec<&str> {
    match text.strip_suffix('\n') {
        Some(text) => text.split('\n').collect(),
        None if text.is_empty() => Vec::new(),
        None => text.split('\n').chain(["(no line break at the end)"]).collect(),
    }
}

/// The shortest way from one list of lines to the other, by their longest common subsequence.
fn compare<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (before, old, new) = (&old[..head], &old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, after) = old.split_at(old.len() - tail);
    let new = &new[..new.len() - tail];

    let width = new.len() + 1;
    // How many lines the rests have in common, from each pair of places on.
    let mut common =
        if old.len() * width <= PAIRS { vec![0_u32; (old.len() + 1) * width] } else { Vec::new() };
    if !common.is_empty() {
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                let at = i * width + j;
                common[at] = if old[i] == new[j] {
                    common[at + width + 1] + 1
                } else {
                    common[at + width].max(common[at + 1])
                };
            }
        }
    }
    let mut lines: Vec<_> = before.iter().copied().map(Line::Same).collect();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        let both = i < old.len() && j < new.len();
        if both && old[i] == new[j] && !common.is_empty() {
            lines.push(Line::Same(old[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len()
            && (j == new.len()
                || common.is_empty()
                || common[(i + 1) * width + j] >= common[i * width + j + 1])
        {
            lines.push(Line::Gone(old[i]));
            i += 1;
        } else {
            lines.push(Line::New(new[j]));
            j += 1;
        }
    }
    lines.extend(after.iter().copied().map(Line::Same));
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_changed_line_stands_between_its_neighbours() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = old.replace("5\n", "five\n");
        assert_eq!(lines(old, &new), "  ... line 2\n  2\n  3\n  4\n- 5\n+ five\n  6\n  7\n  8");
    }

    #[test]
    fn lines_that_were_put_in_and_taken_out_are_all_that_is_shown_as_changed() {
        assert_eq!(lines("a\nb\nc\n", "a\nc\nd\n"), "  a\n- b\n  c\n+ d");
        assert_eq!(lines("b\n", "a\nb\n"), "+ a\n  b");
        assert_eq!(lines("", "a\n"), "+ a");
        assert_eq!(lines("a\n", ""), "- a");
    }

    #[test]
    fn places_far_apart_are_told_by_the_numbers_of_their_lines() {
        let old: String = (1..=30).map(|n| format!("{n}\n")).collect();
        let new = old.replace("\n5\n", "\n").replace("\n25\n", "\n25\nmore\n");
        let expected = "  ... line 2\n  2\n  3\n  4\n- 5\n  6\n  7\n  8\n  ... line 23\n  23\n  24\n  25\n+ more\n  26\n  27\n  28";
        assert_eq!(lines(&old, &new), expected);
    }

    #[test]
    fn a_missing_line_break_at_the_end_is_seen() {
        assert_eq!(lines("a", "a\n"), "  a\n- (no line break at the end)");
    }

    #[test]
    fn what_no_reader_sees_is_shown_by_its_number() {
        assert_eq!(lines("\u{feff}{\n", "{\n"), "- \\u{feff}{\n+ {");
        assert_eq!(lines("a\r\n", "a\n"), "- a\\r\n+ a");
    }

    #[test]
    fn texts_too_large_to_compare_are_shown_whole() {
        let old: String = (0..5_000).map(|n| format!("{n}\n")).collect();
        let new: String = (0..5_000).map(|n| format!("{}\n", n + 1)).collect();
        let diff = lines(&old, &new);
        assert_eq!((diff.lines().next(), diff.lines().count()), (Some("- 0"), 10_000));
    }
}
