//! What signatures that are compared cannot tell, to be warned of once at the end of a run.
//!
//! # Definition
//!
//! ```text
//! chance    sqrt(wA wB) / S > 0.5 / sqrt(b)      words in common by chance are visible: of windows of wA and wB words, out of
//!                                                S possible ones (4^k, half of that if canonical; 20^k of proteins)
//! short     words of a query < words of the windows / 10, or too few to be seen even if a window has them all
//! ```
//!
//! Windows of wA words share about wA wB / S by chance, so their cosine is about sqrt(wA wB) / S, and noise in a cosine is
//! about (pi / 2) / sqrt(b). A window that has all words of a query, and ten times as many of its own, has a cosine of
//! sqrt(1/10) with it.

use super::collection::Collection;
use super::metric::by_chance;
use super::{Alphabet, Parameters};
use warpseq_io::console::Console;

/// The words of a query that is far shorter, as a share of those of what it is compared with.
const SHORT: f64 = 0.1;
/// The longest k-mers that are advised.
const MOST_K: u32 = 32;

/// What was seen of the sequences that are compared.
#[derive(Clone, Debug)]
pub struct Caveats {
    parameters: Parameters,
    /// Of the database: the most words of a window, and the mean.
    most: u64,
    mean: f64,
    /// The most words of a window of the queries.
    most_of_queries: u64,
    /// Queries that are far shorter than the windows of the database, and the name of the first.
    short: u64,
    first: Vec<u8>,
}

impl Caveats {
    /// Of comparisons with `database`.
    pub fn new(database: &Collection) -> Self {
        let (mut count, mut sum, mut most) = (0_u64, 0, 0);
        for words in (0..database.len()).flat_map(|sequence| words(database, sequence)) {
            (count, sum, most) = (count + 1, sum + words, most.max(words));
        }
        let (mean, parameters) = (sum as f64 / count.max(1) as f64, database.parameters);
        Self { parameters, most, mean, most_of_queries: 0, short: 0, first: Vec::new() }
    }

    /// Looks at sequences that are compared with the database.
    pub fn see(&mut self, queries: &Collection) {
        let least = self.mean * SHORT.max(by_chance(self.parameters.bits).powi(2));
        for sequence in 0..queries.len() {
            let Some(most) = words(queries, sequence).max() else { continue };
            self.most_of_queries = self.most_of_queries.max(most);
            if (most as f64) < least {
                self.short += 1;
                if self.short == 1 {
                    self.first.clone_from(&queries.names[sequence]);
                }
            }
        }
    }

    /// Warns of what was seen.
    pub fn warn(&self, console: Console) {
        if let Some(message) = self.chance() {
            console.warn(message);
        }
        if self.short > 0 {
            let Self { short, mean, .. } = self;
            let (name, plural) = (String::from_utf8_lossy(&self.first), if *short == 1 { "y is" } else { "ies are" });
            console.warn(format_args!(
                "{short} quer{plural} far shorter than what they are compared with, `{name}` first: windows have {mean:.0} words on \
                 average, in which a few are lost; sign the longer sequences with --window, twice as long as the queries"
            ));
        }
    }

    /// What to say if words in common by chance are visible.
    fn chance(&self) -> Option<String> {
        let words = (self.most as f64 * self.most_of_queries as f64).sqrt();
        let most = 0.5 / f64::from(self.parameters.bits).sqrt();
        let Parameters { alphabet, canonical, k, .. } = self.parameters;
        let possible = |k: u32| match alphabet {
            Alphabet::Dna => Some(4_f64.powi(k as i32) / if canonical { 2.0 } else { 1.0 }),
            Alphabet::Protein => Some(20_f64.powi(k as i32)),
            Alphabet::Raw => None,
        };
        let enough = (k..=MOST_K).find(|&k| possible(k).is_none_or(|possible| words <= most * possible));
        if enough == Some(k) {
            return None;
        }
        let advice = enough.map_or(String::new(), |k| format!(": sign them with --k {k}"));
        let possible = possible(k)?;
        Some(format!(
            "windows of {words:.0} words, out of {possible:.0} possible ones of --k {k}, have some in common by chance, which \
             makes unrelated sequences look alike{advice}"
        ))
    }
}

/// The words of each window of a sequence that has a signature; all that may be in it, if they were not counted.
fn words(collection: &Collection, sequence: usize) -> impl Iterator<Item = u64> {
    let Parameters { k, window, .. } = collection.parameters;
    let windows = collection.windows(sequence);
    let (first, length) = (windows.start, collection.lengths[sequence]);
    let counted = move |at: usize| match &collection.words {
        Some(words) => u64::from(words[at]),
        None => {
            let residues = window.range((at - first) as u64, length);
            (residues.end - residues.start + 1).saturating_sub(k.into())
        }
    };
    windows.filter(|&at| collection.is_present(at)).map(counted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::Builder;
    use crate::{Records, Signatures};

    /// Sequences of so many letters and words, one window each.
    fn collection(parameters: Parameters, words: &[u32]) -> Collection {
        let (mut batch, mut signatures) = (Records::default(), Signatures::default());
        for (number, &words) in words.iter().enumerate() {
            batch.push(format!("s{number}").as_bytes(), &vec![b'A'; (words + parameters.k - 1) as usize]);
        }
        signatures.resize(words.len(), parameters.width());
        signatures.present.fill(1);
        let mut builder = Builder::new(&parameters);
        builder.push(&batch, &signatures, words);
        Collection { words: Some(words.to_vec()), ..builder.finish() }
    }

    fn seen(parameters: Parameters, database: &[u32], queries: &[u32]) -> Caveats {
        let mut caveats = Caveats::new(&collection(parameters, database));
        let mut older = Caveats::new(&Collection { words: None, ..collection(parameters, database) });
        caveats.see(&collection(parameters, &queries[..1]));
        caveats.see(&collection(parameters, &queries[1..]));
        older.see(&Collection { words: None, ..collection(parameters, queries) });
        assert_eq!((caveats.short, caveats.chance()), (older.short, older.chance()), "without words");
        caveats
    }

    #[test]
    fn words_in_common_by_chance_are_told() {
        let dna = Parameters { k: 11, bits: 1024, ..Parameters::DNA };
        // 4^11 / 2 possible words, of which 1/64 is 32,768.
        assert_eq!(seen(dna, &[32_768, 5], &[32_768]).chance(), None);
        let message = seen(dna, &[32_768, 40_000], &[20, 32_768, 3]).chance().unwrap();
        assert!(
            message.contains("of 36204 words") && message.contains("2097152") && message.ends_with("--k 12"),
            "{message}"
        );
        let plain = Parameters { canonical: false, ..dna };
        assert_eq!(seen(plain, &[65_536], &[65_536]).chance(), None);
        assert!(seen(plain, &[65_536], &[65_537]).chance().is_some());
        let protein = Parameters { k: 3, bits: 1024, ..Parameters::PROTEIN };
        assert_eq!(seen(protein, &[125], &[125]).chance(), None);
        assert!(seen(protein, &[126], &[125]).chance().unwrap().ends_with("--k 4"));
        assert_eq!(seen(Parameters { alphabet: Alphabet::Raw, ..protein }, &[9000], &[9000]).chance(), None);
    }

    #[test]
    fn short_queries_are_told() {
        let wide = Parameters { bits: 65_536, ..Parameters::DNA };
        let caveats = seen(wide, &[1000, 3000], &[200, 199, 2000, 5]);
        assert_eq!((caveats.short, &caveats.first[..]), (2, &b"s0"[..]), "the first of the second file");
        // Five standard deviations of a cosine are 0.98: its square is more than a tenth.
        let narrow = Parameters { bits: 64, ..Parameters::DNA };
        assert_eq!(seen(narrow, &[1000], &[963, 964, 1000]).short, 1);
        assert_eq!(seen(wide, &[], &[3]).short, 0);
    }
}
