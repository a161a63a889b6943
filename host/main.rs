//! The program: lists the GPUs and opens the first.

use warpseq::cuda::{Opening, discover};

fn main() {
    match discover(&[]) {
        Ok(found) => found.iter().for_each(|gpu| println!("{gpu:?}")),
        Err(error) => eprintln!("{error}"),
    }
    if let Err(error) = Opening::start(0, &[]).finish() {
        eprintln!("{error}");
    }
}
