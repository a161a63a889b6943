//! The E-value of a hit, by a coin thrown once for each bit.

/// How many of `windows` unrelated windows one expects within `distance`, by the ones of two signatures of `bits` bits; 0 below 1e-308.
pub fn evalue(bits: u32, ones: [u32; 2], distance: u32, windows: u64) -> f64 {
    let [x, y] = ones.map(|ones| f64::from(ones) / f64::from(bits));
    let heads = x * (1.0 - y) + y * (1.0 - x);
    // The logarithm of the chance of so many heads after some throws; those of more than `distance` are not looked at.
    let mut chances = vec![f64::NEG_INFINITY; distance as usize + 1];
    chances[0] = 0.0;
    for _ in 0..bits {
        for count in (0..chances.len()).rev() {
            let fewer = if count == 0 { f64::NEG_INFINITY } else { chances[count - 1] };
            chances[count] = sum(chances[count] + (1.0 - heads).ln(), fewer + heads.ln());
        }
    }
    let within = chances.into_iter().fold(f64::NEG_INFINITY, sum);
    let expected = if distance == bits { windows as f64 } else { (within + (windows as f64).ln()).exp() };
    if expected < 1e-308 { 0.0 } else { expected }
}

/// The logarithm of a sum, by the logarithms of what is added.
fn sum(a: f64, b: f64) -> f64 {
    let (less, more) = (a.min(b), a.max(b));
    if less == f64::NEG_INFINITY { more } else { more + (less - more).exp().ln_1p() }
}
