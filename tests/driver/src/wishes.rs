//! What the driver is told to be and to do: `FAULTY_DRIVER`, read once.

/// A call that is to fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The function, or `any`.
    function: String,
    /// The call, counted from 1.
    call: u64,
    /// Whether all later calls fail as well.
    onwards: bool,
    code: u32,
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wishes {
    pub failures: Vec<Failure>,
    pub devices: u32,
    /// Bytes of device memory.
    pub memory: usize,
    /// The CUDA version that the driver supports, (major, minor).
    pub version: (u32, u32),
    /// Compute capability, (major, minor).
    pub compute: (u32, u32),
    /// The copy to the host, counted from 1, in which a bit is flipped.
    pub corrupt: Option<u64>,
    pub eager: bool,
    /// How long it takes to start, in milliseconds.
    pub starts: u64,
}

impl Default for Wishes {
    fn default() -> Self {
        let (version, compute) = ((13, 0), (9, 0));
        Self {
            failures: Vec::new(),
            devices: 1,
            memory: 2 << 30,
            version,
            compute,
            corrupt: None,
            eager: false,
            starts: 0,
        }
    }
}

impl Wishes {
    /// Reads `name=value, name=value`.
    ///
    /// # Panics
    /// On what it does not understand: a test with a spelling mistake must not pass.
    pub fn read(text: &str) -> Self {
        let mut wishes = Self::default();
        for wish in text.split(',').map(str::trim).filter(|wish| !wish.is_empty()) {
            let understood = wish.split_once('=').and_then(|(name, value)| wishes.take(name, value));
            understood.unwrap_or_else(|| panic!("FAULTY_DRIVER: `{wish}` means nothing"));
        }
        wishes
    }

    fn take(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "devices" => self.devices = value.parse().ok()?,
            "memory" => self.memory = value.strip_suffix('M')?.parse::<usize>().ok()? << 20,
            "version" => self.version = pair(value)?,
            "compute" => self.compute = pair(value)?,
            "corrupt" => self.corrupt = Some(value.parse().ok()?),
            "eager" => self.eager = value == "1",
            "starts" => self.starts = value.parse().ok()?,
            _ => {
                let (function, call) = name.split_once(':')?;
                let onwards = call.ends_with('+');
                let call = call.trim_end_matches('+').parse().ok()?;
                let (function, code) = (function.to_owned(), value.parse().ok()?);
                self.failures.push(Failure { function, call, onwards, code });
            }
        }
        Some(())
    }

    /// The code that a call is to answer, the `nth` of `function` and the `nth_of_all`; and whether later ones do, too.
    pub fn failure(&self, function: &str, nth: u64, nth_of_all: u64) -> Option<(u32, bool)> {
        let meant = |failure: &&Failure| {
            let at = match failure.function.as_str() {
                "any" => nth_of_all,
                name if name == function => nth,
                _ => return false,
            };
            at == failure.call || failure.onwards && at > failure.call
        };
        self.failures.iter().find(meant).map(|failure| (failure.code, failure.onwards))
    }
}

/// Two numbers with a point between them.
pub fn pair(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read() {
        let wishes = Wishes::read(
            "cuInit:1=100, memory=64M,version=12.4, compute=7.5 , devices=2, eager=1, corrupt=3, starts=70",
        );
        let expected = Wishes {
            failures: vec![Failure { function: "cuInit".into(), call: 1, onwards: false, code: 100 }],
            devices: 2,
            memory: 64 << 20,
            version: (12, 4),
            compute: (7, 5),
            corrupt: Some(3),
            eager: true,
            starts: 70,
        };
        assert_eq!(wishes, expected);
        assert_eq!(Wishes::read(""), Wishes::default());
    }

    #[test]
    fn a_call_fails_by_its_number_and_onwards_where_told() {
        let wishes = Wishes::read("cuA:2=7, cuB:2+=8, any:9=9");
        let failing = |function, all| (1..5).map(|nth| wishes.failure(function, nth, all)).collect::<Vec<_>>();
        assert_eq!(failing("cuA", 1), [None, Some((7, false)), None, None]);
        assert_eq!(failing("cuB", 1), [None, Some((8, true)), Some((8, true)), Some((8, true))]);
        assert_eq!(failing("cuC", 9), [Some((9, false)); 4]);
    }

    #[test]
    fn a_spelling_mistake_is_not_passed_over() {
        for mistake in ["memory=64", "cuInit=3", "cuInit:x=3", "cuInit:1=x", "version=12", "eager"] {
            assert!(std::panic::catch_unwind(|| Wishes::read(mistake)).is_err(), "{mistake}");
        }
    }
}
