# Signatures of all sequences of a file: one job, since its file is not cut in shards.

if "sign" in config:

    rule sign:
        input:
            config["sign"]["sequences"],
        output:
            result("sign.wsig"),
        log:
            log_of("sign"),
        container:
            config["container"]
        params:
            program=config["warpseq"],
            options=config["sign"]["options"],
            device=config["device"],
            memory=config["memory_mb"],
        threads: config["threads"]
        resources:
            mem_mb=config["memory_mb"] + config["spare_mb"],
            gpu=config["gpus"],
        shell:
            "{params.program} sign build {input:q} {params.options}"
            " --device {params.device} -t {threads} --max-memory {params.memory}M -o {output:q} 2> {log:q}"
