//! Inputs that once went wrong, by what went wrong.

use super::checks;

/// The decoder's words about damage hung on the size of the buffer.
#[test]
fn damage_is_told_of_in_the_same_words() {
    checks::gzip(
        b"*\0\x08\x04\0\0\0\0!\0\0\0B\0\0\0\x92\0e\xceA\x0e\x02!\x0c\x05\xd0}\xafb4B;\x02\xe9f\x9a\xc6t\0\0\0\
        \xff\x06\0B\0\0\0\x92\x07e\xceA\x0e\x02!\x0c\x05\xd0}\xa7b4B;\x02\xe9f\x9a\xc6t\xaf\xec\xff\x12[\xd8{\x17\
        :;\x02\xe9f\x9a\xc6t\xaf\xec{\xff[\xd8\x12\x17:\xf3\x03%\xd06\xba{\x1b\0",
    );
}
