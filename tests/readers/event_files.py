"""Event files of TensorBoard, made by hand: records of protocol buffers with their checksums."""

from __future__ import annotations

import struct


def crc32c(data):
    """Bit by bit, as RFC 3720 defines it: CRC-32C of b'123456789' is 0xE3069283."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 * (value & 1))
    return value ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) % 2**32)


def record(data):
    length = struct.pack("<Q", len(data))
    return length + masked(length) + data + masked(data)


def varint(value):
    value %= 2**64
    found = b""
    while value >= 128:
        found += bytes([value % 128 + 128])
        value //= 128
    return found + bytes([value])


def message(number, data):
    return bytes([number << 3 | 2]) + varint(len(data)) + data


def whole(number, value):
    return bytes([number << 3]) + varint(value)


def simple(tag, value):
    return message(1, tag.encode()) + bytes([2 << 3 | 5]) + struct.pack("<f", value)


def tensor(tag, kind, content, *, plugin="scalars", shape=b""):
    metadata = message(9, message(1, message(1, plugin.encode()))) if plugin else b""
    return message(1, tag.encode()) + metadata + message(8, whole(1, kind) + message(2, shape) + content)


def event(step, *values):
    time = bytes([1 << 3 | 1]) + struct.pack("<d", 1654943296.5)
    return record(time + whole(2, step) + message(5, b"".join(message(1, value) for value in values)))


START = record(bytes([1 << 3 | 1]) + struct.pack("<d", 1654943296.0) + message(3, b"brain.Event:2"))


def events(points, tag="rollout/ep_rew_mean"):
    """A file of one tag."""
    return START + b"".join(event(step, simple(tag, value)) for step, value in points)
