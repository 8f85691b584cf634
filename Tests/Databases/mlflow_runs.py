"""Makes a tracking database with MLflow's own store: mlflow_runs.py FILE."""
import sys
import time

from mlflow.entities import Dataset, DatasetInput, InputTag, Metric, Param, RunTag
from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

store = SqlAlchemyStore("sqlite:///" + sys.argv[1], "/nowhere")
now = int(time.time() * 1000)
for name in ("soup", "cake é"):
    experiment = store.create_experiment(name)
    for number in range(8):
        run = store.create_run(experiment, "cook", now, [RunTag("a", "b")], f"run {number}")
        store.log_batch(
            run.info.run_id,
            [Metric("loss", 1.0 / (step + 1), now + step, step) for step in range(20)]
            + [Metric("nan", float("nan"), now, 0), Metric("inf", float("inf"), now, 0)],
            [Param("rate", str(number)), Param("kind", "é" * number)],
            [RunTag("tag", str(number))],
        )
        store.log_inputs(
            run.info.run_id,
            [DatasetInput(Dataset("data", str(number % 2), "local", "here"), [InputTag("use", "train")])],
        )
        if number % 4 == 3:
            store.delete_run(run.info.run_id)
