//! The shadow against the definition: a list of all accesses, each new one compared with every earlier one.

use super::*;

/// Steps of a small xorshift generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
    }
}

const BYTES: usize = 32;

fn is_race(earlier: &(Touch, Stamp), touch: &Touch, clock: &Clock) -> bool {
    let (a, b) = (earlier.0.access, touch.access);
    let writes = |access| matches!(access, Access::Write | Access::Atomic);
    let overlap = earlier.0.offset < touch.offset + touch.bytes && touch.offset < earlier.0.offset + earlier.0.bytes;
    let matters = (writes(a) || writes(b)) && (a, b) != (Access::Atomic, Access::Atomic);
    let constant = a == Access::Constant || b == Access::Constant;
    let ordered = if constant {
        !earlier.1.is_since(clock.launch())
    } else {
        clock.is_ordered(earlier.1, touch.thread, touch.since)
    };
    overlap && matters && !ordered
}

/// Makes one random history up to its first race and returns whether there was one. Most accesses that would race are
/// left out, so that histories grow long.
fn history(seed: u64) -> bool {
    let mut dice = Dice((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let (mut clock, mut shadow) = (Clock::default(), Shadow::new(BYTES));
    let mut seen: Vec<(Touch, Stamp)> = Vec::new();
    clock.start_launch();
    clock.start_block();
    for step in 0..200 {
        match dice.below(12) {
            0 => clock.sync_threads(),
            1 | 2 => clock.sync_warp(dice.below(2) as u32),
            3 if dice.below(4) == 0 => clock.start_block(),
            4 if dice.below(8) == 0 => {
                clock.start_launch();
                clock.start_block();
            }
            _ => {}
        }
        let bytes = 1 << dice.below(5);
        let access = [Access::Read, Access::Read, Access::Read, Access::Write, Access::Atomic, Access::Constant]
            [dice.below(6) as usize];
        let thread = (dice.below(2) * 32 + dice.below(3)) as u32;
        let offset = dice.below((BYTES / bytes) as u64) as usize * bytes;
        let touch = Touch { offset, bytes, access, thread, since: clock.launch() };
        let expected = seen.iter().any(|earlier| is_race(earlier, &touch, &clock));
        if expected && dice.below(16) > 0 {
            continue;
        }
        let found = shadow.touch(touch, &clock);
        assert_eq!(found.is_err(), expected, "seed {seed}, step {step}");
        if expected {
            return true;
        }
        seen.push((touch, clock.stamp(thread)));
    }
    false
}

#[test]
fn races_are_found_exactly() {
    let races = (0..20_000).filter(|&seed| history(seed)).count();
    assert!(races > 10_000, "only {races} histories had a race");
}

#[test]
fn many_readers_are_not_forgotten() {
    let (mut clock, mut shadow) = (Clock::default(), Shadow::new(4));
    clock.start_launch();
    clock.start_block();
    let touch = |access, thread| Touch { offset: 0, bytes: 4, access, thread, since: 1 };
    for thread in [0, 1, 2, 40] {
        assert!(shadow.touch(touch(Access::Read, thread), &clock).is_ok());
    }
    clock.sync_warp(0);
    let (access, by) = shadow.touch(touch(Access::Write, 0), &clock).unwrap_err();
    assert_eq!((access, by.thread()), (Access::Read, 40));
    clock.sync_threads();
    assert!(shadow.touch(touch(Access::Write, 0), &clock).is_ok());
}
