"""The work of each side: what scorebars does, and what a user of the peer writes. Each file imports one program."""
