//! FASTA and FASTQ as `host/io/fastx.rs` defines them, read line by line from memory.

/// What a file holds.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The records before the first fault.
    pub records: Vec<Plain>,
    /// Whether there is none.
    pub whole: bool,
}

/// A record.
#[derive(Debug, Default)]
pub struct Plain {
    /// The header line without its first byte.
    pub title: Vec<u8>,
    /// The header's line, from 1.
    pub line: u64,
    /// Each letter with its line.
    pub letters: Vec<(u8, u64)>,
    pub quality: Vec<(u8, u64)>,
}

/// No record, or a fault: there is nothing more to say about it.
struct Fault;

/// Lines still to be read, with the number of the next one.
struct Text<'a> {
    lines: Vec<&'a [u8]>,
    next: usize,
}

/// Reads a file that is not compressed.
pub fn parse(bytes: &[u8]) -> Parsed {
    let mut text = Text { lines: lines(bytes), next: 0 };
    let mut parsed = Parsed::default();
    if text.only_empty_lines_left() {
        return Parsed { whole: true, ..parsed };
    }
    let read = match text.lines[0].first() {
        Some(b'>') => fasta,
        Some(b'@') => fastq,
        _ => return parsed,
    };
    loop {
        match read(&mut text) {
            Ok(Some(record)) => parsed.records.push(record),
            Ok(None) => return Parsed { whole: true, ..parsed },
            Err(Fault) => return parsed,
        }
    }
}

/// LF ends a line, or CRLF; the last one may have no end, or CR alone.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines.into_iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect()
}

impl<'a> Text<'a> {
    fn peek(&self) -> Option<&'a [u8]> {
        self.lines.get(self.next).copied()
    }

    fn starts(&self, byte: u8) -> bool {
        self.peek().is_some_and(|line| line.first() == Some(&byte))
    }

    /// The next line and its number, from 1.
    fn take(&mut self) -> Option<(&'a [u8], u64)> {
        let line = self.peek()?;
        self.next += 1;
        Some((line, self.next as u64))
    }

    fn only_empty_lines_left(&self) -> bool {
        self.lines[self.next..].iter().all(|line| line.is_empty())
    }

    /// A header line that starts with `first`, which it must.
    fn header(&mut self, first: u8) -> Result<Plain, Fault> {
        let (line, number) = self.take().ok_or(Fault)?;
        let title = line.strip_prefix(&[first]).ok_or(Fault)?;
        let blank = |byte: u8| byte == b' ' || byte == b'\t';
        let named = title.first().is_some_and(|&byte| !blank(byte));
        let legal = title.iter().all(|&byte| byte == b'\t' || byte >= 32 && byte != 127);
        if named && legal { Ok(Plain { title: title.to_vec(), line: number, ..Plain::default() }) } else { Err(Fault) }
    }
}

fn add(symbols: &mut Vec<(u8, u64)>, (line, number): (&[u8], u64)) -> Result<(), Fault> {
    let legal = line.iter().all(|byte| (33..=126).contains(byte));
    symbols.extend(line.iter().map(|&byte| (byte, number)));
    if legal { Ok(()) } else { Err(Fault) }
}

/// Neither `@` nor `;` starts a line of sequence; an empty line ends the record.
fn fasta(text: &mut Text) -> Result<Option<Plain>, Fault> {
    if text.peek().is_none() {
        return Ok(None);
    }
    let mut record = text.header(b'>')?;
    while text.peek().is_some_and(|line| !line.is_empty()) && !text.starts(b'>') {
        if text.starts(b'@') || text.starts(b';') {
            return Err(Fault);
        }
        add(&mut record.letters, text.take().ok_or(Fault)?)?;
    }
    while text.peek().is_some_and(<[u8]>::is_empty) {
        text.take();
    }
    if text.peek().is_some() && !text.starts(b'>') { Err(Fault) } else { Ok(Some(record)) }
}

/// Empty lines end the file, or are the sequence or quality of a record of no letters.
fn fastq(text: &mut Text) -> Result<Option<Plain>, Fault> {
    if text.only_empty_lines_left() {
        return Ok(None);
    }
    let mut record = text.header(b'@')?;
    let first = text.next;
    while !text.starts(b'+') {
        if text.starts(b'@') {
            return Err(Fault);
        }
        add(&mut record.letters, text.take().ok_or(Fault)?)?;
    }
    let of_sequence = &text.lines[first..text.next];
    if of_sequence.iter().any(|line| line.is_empty()) && of_sequence.len() > 1 {
        return Err(Fault);
    }
    let (plus, _) = text.take().ok_or(Fault)?;
    if plus.len() > 1 && plus[1..] != record.title[..] {
        return Err(Fault);
    }
    quality(text, &mut record)?;
    let carriage_return = text.starts(b'\r');
    let ends = text.peek().is_none_or(<[u8]>::is_empty) || text.starts(b'@') || carriage_return;
    if ends { Ok(Some(record)) } else { Err(Fault) }
}

fn quality(text: &mut Text, record: &mut Plain) -> Result<(), Fault> {
    if record.letters.is_empty() {
        if text.starts(b'\r') {
            return Err(Fault);
        }
        if text.peek().is_some_and(<[u8]>::is_empty) {
            text.take();
        }
        return Ok(());
    }
    while record.quality.len() < record.letters.len() {
        let line = text.take().ok_or(Fault)?;
        add(&mut record.quality, line)?;
        if line.0.is_empty() || record.quality.len() > record.letters.len() {
            return Err(Fault);
        }
    }
    Ok(())
}
