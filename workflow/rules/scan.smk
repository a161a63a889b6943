# Signatures in the samples: shards, one table of them, and what is in each sample.


rule scan:
    input:
        sheet=config["samples"],
        signatures=config["signatures"],
        reads=reads(),
    output:
        table=part("scan", config["scan"]["format"]),
        counts=part("counts", "tsv"),
    log:
        log_of(f"scan.{{shard}}-of-{config['shards']}"),
    container:
        config["container"]
    params:
        program=config["warpseq"],
        options=config["scan"]["options"],
        format=config["scan"]["format"],
        device=config["device"],
        memory=config["memory_mb"],
        shards=config["shards"],
    threads: config["threads"]
    resources:
        mem_mb=config["memory_mb"] + config["spare_mb"],
        gpu=config["gpus"],
    shell:
        "{params.program} scan -s {input.signatures:q} --samples {input.sheet:q} {params.options}"
        " --device {params.device} -t {threads} --max-memory {params.memory}M"
        " --shard {wildcards.shard}/{params.shards} --format {params.format}"
        " --counts {output.counts:q} -o {output.table:q} 2> {log:q}"


rule merge:
    input:
        parts("scan", config["scan"]["format"]),
    output:
        result(f"scan.{config['scan']['format']}"),
    log:
        log_of("merge"),
    container:
        config["container"]
    params:
        program=config["warpseq"],
    shell:
        "{params.program} merge {input:q} -o {output:q} 2> {log:q}"


rule merge_counts:
    input:
        counts=parts("counts", "tsv"),
        signatures=config["signatures"],
    output:
        result("counts.tsv"),
    log:
        log_of("merge_counts"),
    container:
        config["container"]
    params:
        program=config["warpseq"],
    shell:
        "{params.program} merge {input.counts:q} -s {input.signatures:q} -o {output:q} 2> {log:q}"


rule summary:
    input:
        counts=result("counts.tsv"),
        signatures=config["signatures"],
    output:
        table=report(result("summary.tsv"), category="Calls"),
        page=report(result("page.html"), category="Calls"),
        stats=result("warpseq_mqc.json"),
    log:
        log_of("summary"),
    container:
        config["container"]
    params:
        program=config["warpseq"],
        options=config["summary"]["options"],
    shell:
        "{params.program} summary {input.counts:q} -s {input.signatures:q} {params.options}"
        " --html {output.page:q} --stats {output.stats:q} -o {output.table:q} 2> {log:q}"


rule multiqc:
    input:
        result("warpseq_mqc.json"),
    output:
        report(result("multiqc.html"), category="Calls"),
    log:
        log_of("multiqc"),
    conda:
        "../envs/multiqc.yaml"
    shell:
        "multiqc {input:q} --filename {output:q} --no-data-dir --force > {log:q} 2>&1"
