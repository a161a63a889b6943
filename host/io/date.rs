//! Dates and times in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// Today, as `2026-01-31`.
pub fn today() -> String {
    date((since_1970() / 86_400) as i64)
}

/// Now, as `2026-01-31T23:59:58Z`.
pub fn now() -> String {
    time(since_1970())
}

fn since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn time(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    format!("{}T{:02}:{:02}:{:02}Z", date(days as i64), second / 3600, second / 60 % 60, second % 60)
}

/// The date `days` after 1970-01-01. The computation starts years in March, so that leap days come last (Hinnant,
/// "chrono-compatible low-level date algorithms", `civil_from_days`).
fn date(days: i64) -> String {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right_around_leap_days() {
        let known = [(0, "1970-01-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"), (20_453, "2025-12-31")];
        known.iter().for_each(|&(days, text)| assert_eq!(date(days), text));
    }

    #[test]
    fn times_have_two_digits_each() {
        assert_eq!(time(86_400 * 20_453 + 3_723), "2025-12-31T01:02:03Z");
        assert_eq!(time(86_399), "1970-01-01T23:59:59Z");
    }
}
