"""Lines of text with their place, for the formats that are plain lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.errors import ReadError
from scorebars.readers.files import converted, plain_bytes, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.contracts import FileHead


def text_lines(head: FileHead) -> Iterator[tuple[str, str]]:
    """(line without its end, where it stands) of each line, one at a time; bytes that are not UTF-8 are an error."""
    with plain_bytes(head) as stream:
        for number, line in enumerate(stream, start=1):
            where = f"{shown(head.path)}: line {number}"
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise ReadError(
                    f"{where} is not UTF-8 (byte 0x{line[error.start]:02x}); "
                    f"convert it: {converted(head.path, 'LATIN1')}"
                ) from error
            yield text.rstrip("\r\n"), where
