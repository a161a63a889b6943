#!/bin/bash
set -euo pipefail

cargo-bundle-licenses --format yaml --output THIRDPARTY.yml
cargo install --no-track --locked --verbose --root "${PREFIX}" --path .
"${PREFIX}/bin/warpseq" man "${PREFIX}/share/man/man1"
