# One command for each part of a day's work; `make` alone lists them.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test python cluster release check book fuzz faults memory mutants soak setup ptx bench gpu-bundle profile clean

PTXAS_FOUND = compgen -G '.venv/lib/python3*/site-packages/nvidia/*/bin/ptxas' >/dev/null || command -v "$${PTXAS:-ptxas}" >/dev/null
PARASAIL_FOUND = .venv/bin/python -c 'import parasail' 2>/dev/null
MULTIQC_FOUND = .venv/bin/python -c 'import multiqc' 2>/dev/null
# Where one of these is, or in CI, a test that needs it must not skip.
TESTS = if [ "$${CI:-}" = true ] || $(PTXAS_FOUND); then export WARPSEQ_REQUIRE_PTXAS=1; fi; \
	if [ "$${CI:-}" = true ] || $(PARASAIL_FOUND); then export WARPSEQ_REQUIRE_PARASAIL=1; fi; \
	if [ "$${CI:-}" = true ] || $(MULTIQC_FOUND); then export WARPSEQ_REQUIRE_MULTIQC=1; fi; \
	cargo test --workspace --locked
SNAKEMAKE_FOUND = .venv/bin/python -c 'import snakemake, snakemake_executor_plugin_slurm, multiqc' 2>/dev/null
WORKFLOW = if [ "$${CI:-}" = true ] || $(SNAKEMAKE_FOUND); then .venv/bin/python tools/cluster local target/debug/warpseq; fi
# Jinja and YAML come with MkDocs.
RECIPE = [ ! -x .venv/bin/mkdocs ] || .venv/bin/python packaging/recipe.py
# Without --quiet, which would hide the warnings that --strict is to count.
BOOK = [ ! -x .venv/bin/mkdocs ] || .venv/bin/python -m mkdocs build --strict 2> >(grep -v '^INFO' >&2)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## search, align and map the small data of data/, on the GPU or, where there is none, on the CPU
	@command -v cargo >/dev/null || { echo "cargo is not here: install Rust from https://rustup.rs"; exit 1; }
	@echo "Building warpseq (minutes the first time)."
	@cargo build --release --quiet --locked
	@echo "What this machine has:"
	@cargo run --release --quiet --locked -- devices
	@echo "Which signatures of data/signatures.fasta occur in which sequences of data/samples.fastq, and how well read they are:"
	@cargo run --release --quiet --locked -- scan data/samples.fastq data/signatures.fasta
	@echo "How the first sequences of data/pairs.targets.fasta differ from those of data/pairs.queries.fasta:"
	@cargo run --release --quiet --locked -- align data/pairs.queries.fasta data/pairs.targets.fasta --format pretty | head -30
	@echo "Signatures of the sequences of data/families.fastq, in target/families.wsig:"
	@cargo run --release --quiet --locked -- sign build data/families.fastq -o target/families.wsig
	@cargo run --release --quiet --locked -- sign info target/families.wsig
	@echo "Which two of them are nearest to each sequence of data/founders.fasta:"
	@cargo run --release --quiet --locked -- sign search data/founders.fasta target/families.wsig --top 2
	@echo "A map of them, in target/families.svg, and how well their five families are apart:"
	@cargo run --release --quiet --locked -- sign map target/families.wsig --groups data/families.tsv -o target/families.tsv --svg target/families.svg

test: setup ## set up what is missing, then format, lints, every test, the workflow, documentation and the book
	@cargo fmt --all --check
	@cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	@$(TESTS)
	@$(WORKFLOW)
	@$(RECIPE)
	@RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --locked --quiet
	@$(BOOK)

python: ## build the Python module into .venv, and test it, its types, its documentation and its notebook
	@tools/setup python
	@tools/python

cluster: setup ## run the workflow on a Slurm of two nodes that is set up here, with failures; needs root, Slurm and MUNGE
	@tools/setup cluster
	@cargo build --release --quiet --locked
	@.venv/bin/python tools/cluster slurm target/release/warpseq

release: ## make target/archive/warpseq-VERSION-x86_64-linux.tar.gz, and try it in a bare Debian and in an old one
	@tools/release

check: test python ## all that must hold before a change is taken: make test, make python, and the dependencies
	@tools/deny

book: ## build the book into target/book, and check its links
	@tools/setup book
	@$(BOOK)

fuzz: ## look for inputs that break the readers, 30 s for each of their targets, or SECONDS=3600
	@tools/fuzz $(SECONDS)

setup:
	@tools/setup

ptx: setup ## rebuild gpu/ptx, the kernels for machines that cannot compile them
	@WARPSEQ_KEEP_PTX=1 cargo check --lib --locked --quiet
	@git status --short gpu/ptx

bench: ## measure scan, align, sign and whole commands on this machine; records go to bench/record
	@cargo run --release --quiet --locked -- bench scan --record bench/record
	@cargo run --release --quiet --locked -- bench align --record bench/record
	@cargo run --release --quiet --locked -- bench sign --record bench/record
	@cargo run --release --quiet --locked -- bench files --record bench/record

faults: ## attack the program with broken streams, limits, signals and damaged files, in minutes
	@cargo build --release --quiet --locked
	@tools/faults target/release/warpseq --long

memory: ## measure the memory that the worst inputs take, 1 GB lines and 5 GB through a pipe; SCALE=0.1 for a tenth
	@cargo build --release --quiet --locked
	@tools/memory target/release/warpseq --scale $${SCALE:-1}

mutants: ## find changes to kernels and readers that no test notices, in hours; PARTS="fastx scan/cell" in minutes
	@tools/mutants $(PARTS)

soak: ## compare random runs in every way for an hour; SECONDS=600, SEED=7 and DEVICE=cuda change that
	@cargo build --release --quiet --locked
	@python3 tools/soak --seconds $(or $(SECONDS),3600) --seed $(or $(SEED),1) --device $(or $(DEVICE),auto) \
		--keep target/soak target/release/warpseq

gpu-bundle: ## put program, tests and a script for a GPU machine without Rust into target/gpu-bundle
	@tools/gpu-bundle

profile: gpu-bundle ## profile the kernels of scan with Nsight Compute, on this machine's GPU
	@target/gpu-bundle/run.sh profile target/profile

clean: ## remove all that was built and installed here
	@rm -rf target .venv
