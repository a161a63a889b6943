# Alignments of queries with targets: the queries are cut in shards.

if "align" in config:

    rule align:
        input:
            queries=config["align"]["queries"],
            targets=config["align"]["targets"],
        output:
            part("align", config["align"]["format"]),
        log:
            log_of(f"align.{{shard}}-of-{config['shards']}"),
        container:
            config["container"]
        params:
            program=config["warpseq"],
            # A line with the command would name the shard.
            options=config["align"]["options"] + (" --no-pg" if config["align"]["format"] == "sam" else ""),
            format=config["align"]["format"],
            device=config["device"],
            memory=config["memory_mb"],
            shards=config["shards"],
        threads: config["threads"]
        resources:
            mem_mb=config["memory_mb"] + config["spare_mb"],
            gpu=config["gpus"],
        shell:
            "{params.program} align {input.queries:q} {input.targets:q} {params.options}"
            " --device {params.device} -t {threads} --max-memory {params.memory}M"
            " --shard {wildcards.shard}/{params.shards} --format {params.format} -o {output:q} 2> {log:q}"

    rule merge_alignments:
        input:
            parts("align", config["align"]["format"]),
        output:
            result(f"align.{config['align']['format']}"),
        log:
            log_of("merge_alignments"),
        container:
            config["container"]
        params:
            program=config["warpseq"],
        shell:
            "{params.program} merge {input:q} -o {output:q} 2> {log:q}"
