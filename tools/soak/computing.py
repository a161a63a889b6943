"""How the same thing is computed: device, threads, memory. None of it may show in an answer."""

# The emulator runs the kernels' source thread by thread, so it gets inputs of a few symbols.
EMULATED_MAX = 40_000


def draw(dice, program, work, memory=("1K", "64K", "1M", "16M", "256M", "4G")):
    """Words of a command line, and the kinds of comparison that they make. `work` is how much there is to compute."""
    devices = list(program.others)
    if work <= EMULATED_MAX and dice.random() < 0.2:
        devices = ["emulator"]
    device = dice.choice(devices)
    words, kinds = ["--device", device], [device]
    if dice.random() < 0.7:
        words += ["-t", dice.choice((1, 2, 3, 4, 8, 64))]
        kinds.append("threads")
    if dice.random() < 0.7:
        words += ["--max-memory", dice.choice(memory)]
        kinds.append("memory")
    if device != "cpu" and dice.random() < 0.6:
        words += ["--gpu-memory", dice.choice(("1M", "4M", "20M", "64M", "300M"))]
        kinds.append("device memory")
    return words, kinds


def placed(dice, suffix):
    """Where an answer goes: standard output, a file, a compressed file."""
    return dice.choice(([], ["-o", f"out.{suffix}"], ["-o", f"out.{suffix}.gz"]))
