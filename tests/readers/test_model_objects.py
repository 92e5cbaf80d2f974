"""Models that are objects: the order of their keys makes no other model, and the proposed mappings work."""

import json
import shlex

import pytest

import scorebars as sb
from scorebars.cli.main import main
from scorebars.errors import ReadError
from scorebars.readers.read import read

SPELLED = ({"temp": 0, "name": "m1"}, {"name": "m1", "temp": 0})


def records(models=SPELLED, n=20):
    return [{"id": i, "model": models[i % len(models)], "score": int(i % 3 == 0)} for i in range(n)]


def written(path, rows):
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(json.dumps(rows) if path.suffix == ".json" else lines)
    return path


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
@pytest.mark.parametrize("large", [False, True])
def test_the_name_among_its_values_is_asked_for(tmp_path, name, large, monkeypatch, capsys):
    if large:
        monkeypatch.setattr("scorebars.readers.small.LARGEST", 0)
        monkeypatch.setattr("scorebars.readers.small.LARGEST_TOGETHER", 0)
    written(tmp_path / name, records())
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", name]) == 2
    err = capsys.readouterr().err
    assert "'model' holds objects, such as {" in err
    assert "(--map model=model.name), or several of them (--map model=model.name+model.temp)" in err
    command = err.splitlines()[-1]
    assert command == f"  scorebars estimate {name} --map model=model.name"
    for typed, model in (
        (shlex.split(command)[1:], "m1"),
        (["estimate", name, "--map", "model=model.name+model.temp"], "m1+0"),
    ):
        assert main([*typed, "--format", "json"]) == 0
        (result,) = json.loads(capsys.readouterr().out)["results"]
        assert (result["model"], result["n_items"], result["value"]) == (model, 20, 7 / 20)


def test_the_surest_key_is_proposed(tmp_path):
    path = written(tmp_path / "t.json", records([{"provider": "x", "id": "a"}, {"provider": "x", "id": "b"}]))
    with pytest.raises(ReadError, match=r"--map model=model\.id\), or several of them"):
        read(path)
    assert sb.read(path, columns={"model": "model.id"}).models == ("a", "b")


def test_texts_that_look_like_objects_are_names(tmp_path):
    path = written(tmp_path / "t.json", records(["{a}", "{b}"]))
    assert sb.read(path).models == ("{a}", "{b}")
