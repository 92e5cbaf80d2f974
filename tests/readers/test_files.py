"""Paths to files, and files to heads: compressed, broken, forbidden, missing."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys

import pytest

from scorebars.errors import ReadError
from scorebars.readers.files import (
    HEAD,
    Spool,
    bad_byte,
    check_whole,
    expand,
    head_of,
    names_for,
    shown,
    stem,
    text_head,
    zstandard,
)


def paths_of(path):
    return [found.path for found in expand(path, Spool())]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "b.csv").write_text("model,item,score\n")
    (tmp_path / "a.csv").write_text("model,item,score\n")
    (tmp_path / ".hidden.csv").write_text("x\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "c.csv").write_text("x\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "d.csv").write_text("x\n")
    return tmp_path


def test_folder_is_read_sorted_and_without_hidden_names(folder):
    assert paths_of(folder) == [folder / "a.csv", folder / "b.csv", folder / "sub" / "c.csv"]
    assert not any(found.explicit for found in expand(folder, Spool()))
    assert [found.explicit for found in expand(folder / "a.csv", Spool())] == [True]


def test_a_link_that_loops_is_followed_once(folder):
    (folder / "sub" / "loop").symlink_to(folder)
    (folder / "dangling.csv").symlink_to(folder / "nowhere")  # kept, so that it can be said
    assert [path.name for path in paths_of(folder)] == ["a.csv", "b.csv", "dangling.csv", "c.csv"]


def test_globs(folder):
    assert [path.name for path in paths_of(f"{folder}/*.csv")] == ["a.csv", "b.csv"]
    assert [path.name for path in paths_of(f"{folder}/**/*.csv")] == ["a.csv", "b.csv", "c.csv"]
    with pytest.raises(ReadError, match="no file matches"):
        expand(f"{folder}/*.jsonl", Spool())


def test_an_existing_path_with_brackets_is_that_path(folder):
    (folder / "[a].csv").write_text("x\n")
    assert paths_of(f"{folder}/[a].csv") == [folder / "[a].csv"]


def test_home_is_expanded(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))
    assert paths_of("~/a.csv") == [folder / "a.csv"]
    assert len(paths_of("~/*.csv")) == 2


def test_missing_paths_offer_the_nearest_sibling(folder):
    with pytest.raises(ReadError, match=r"no file or folder '.*a\.cvs'; did you mean 'a\.csv'"):
        expand(f"{folder}/a.cvs", Spool())
    with pytest.raises(ReadError, match="there is no folder"):
        expand(f"{folder}/nowhere/a.csv", Spool())
    with pytest.raises(ReadError, match="empty path"):
        expand("", Spool())


@pytest.mark.parametrize("address", ["https://example.org/a.csv", "s3://bucket/a.parquet", "hf://datasets/x"])
def test_addresses_are_refused(address):
    with pytest.raises(ReadError, match="only local files are read; download it first"):
        expand(address, Spool())


def test_standard_input_is_spooled_and_removed(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(b"model,item,score\n"))
    monkeypatch.setattr(sys, "stdin", stream)
    spool = Spool()
    (found,) = expand("-", spool)
    assert found.path.read_bytes() == b"model,item,score\n"
    assert shown(found.path) == "<standard input>"
    assert stem(found.path) == "stdin"
    spool.close()
    assert not found.path.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_file_without_permission(folder):
    (folder / "a.csv").chmod(0)
    with pytest.raises(ReadError, match="no permission"):
        head_of(folder / "a.csv")


def test_permission_sentence(folder, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(ReadError, match=r"a\.csv cannot be read: no permission"):
        head_of(folder / "a.csv")


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".zst", zstandard().compress)])
def test_heads_of_compressed_files_are_plain(tmp_path, suffix, compress):
    text = b"model,item,score\n" + b"a,1,1\n" * 50_000
    path = tmp_path / f"a.csv{suffix}"
    path.write_bytes(compress(text))
    head = head_of(path)
    assert head.head == text[:HEAD]
    assert (head.suffixes, head.compression) == ((".csv",), suffix[1:])
    check_whole(head)


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".zst", zstandard().compress)])
@pytest.mark.parametrize("kept", [0.02, 0.5, 0.999])
def test_truncated_streams_are_refused(tmp_path, suffix, compress, kept):
    whole = compress(os.urandom(300_000))
    path = tmp_path / f"a.csv{suffix}"
    path.write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(ReadError, match="truncated"):
        check_whole(head_of(path))


def test_damaged_gzip_is_refused(tmp_path):
    whole = bytearray(gzip.compress(b"model,item,score\n" * 100))
    whole[-6] ^= 0xFF  # the checksum
    path = tmp_path / "a.csv.gz"
    path.write_bytes(bytes(whole))
    with pytest.raises(ReadError, match="damaged"):
        check_whole(head_of(path))


def test_a_name_that_promises_compression(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_text("model,item,score\n")
    with pytest.raises(ReadError, match="not the format its name says"):
        head_of(path)
    path.write_bytes(b"BZh91AY")
    with pytest.raises(ReadError, match="bzip2"):
        head_of(path)


def test_encodings(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("model,item,score\né,1,1\n", encoding="utf-16")
    with pytest.raises(ReadError, match="UTF-16") as refused:
        text_head(head_of(path))
    if shutil.which("iconv"):
        subprocess.run(["sh", "-c", str(refused.value).partition("convert it: ")[2]], check=True)
        assert (tmp_path / "utf8_a.csv").read_text(encoding="utf-8") == path.read_text(encoding="utf-16")
    path.write_text("model,item,score\né,1,1\n", encoding="latin-1")
    with pytest.raises(ReadError, match=r"byte 0xe9 at position 17 \(line 2\)") as refused:
        text_head(head_of(path))
    if shutil.which("iconv"):
        command = str(refused.value).partition("convert it: ")[2].removesuffix(" (or from the encoding it has)")
        subprocess.run(["sh", "-c", command], check=True)
        assert (tmp_path / "utf8_a.csv").read_text(encoding="utf-8") == path.read_text(encoding="latin-1")
    path.write_text("model,item\n", encoding="utf-8-sig")
    assert text_head(head_of(path)) == "model,item\n"
    path.write_bytes(("x" * (HEAD - 1) + "é").encode())
    assert text_head(head_of(path)) == "x" * (HEAD - 1)


def test_a_bad_byte_far_into_the_file_is_found(tmp_path):
    path = tmp_path / "a.csv"
    start = b"\xc3\xa9\n" * 600_000
    path.write_bytes(start + b"\xe9\n")
    assert f"position {len(start):,} (line 600001)" in bad_byte(head_of(path))
    path.write_bytes(start)
    assert bad_byte(head_of(path)) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gpt-4.1.jsonl.gz", "gpt-4.1"),
        ("a.csv", "a"),
        (".csv", ".csv"),
        ("a.trimmed.json", "a.trimmed"),
        ("x.v2", "x.v2"),
    ],
)
def test_stems(tmp_path, name, expected):
    assert stem(tmp_path / name) == expected


def test_files_of_one_stem_are_told_apart_by_folders(tmp_path):
    one, two, three = tmp_path / "gpt" / "scores.csv", tmp_path / "claude" / "scores.csv", tmp_path / "other.csv"
    assert names_for([one, two, three]) == {one: "gpt/scores", two: "claude/scores", three: "other"}
    same = [tmp_path / "a.csv", tmp_path / "a.json"]
    assert names_for(same) == {same[0]: "a.csv", same[1]: "a.json"}


def test_a_like_ending_is_no_likeness(tmp_path):
    (tmp_path / "config.csv").write_text("item,score\n1,1\n")
    with pytest.raises(ReadError, match=r"no file or folder '.*nofile\.csv'; known: 'config\.csv'$"):
        expand(f"{tmp_path}/nofile.csv", Spool())
    with pytest.raises(ReadError, match=r"did you mean 'config\.csv'\?"):
        expand(f"{tmp_path}/confg.csv", Spool())
