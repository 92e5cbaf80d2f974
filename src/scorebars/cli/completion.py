"""``scorebars completion``: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click

from scorebars.cli.commands import NAME, Example, root
from scorebars.cli.options import debugging


@click.command(
    "completion",
    cls=Example,
    example='eval "$(scorebars completion bash)"',
    short_help="Print a completion script.",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@debugging
def completion(shell: str) -> None:
    """Print the script that makes SHELL complete scorebars.

    bash and zsh: put the line above (with your shell's name) into ~/.bashrc or ~/.zshrc. fish: scorebars completion
    fish > ~/.config/fish/completions/scorebars.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"no completion for '{shell}'")
    script = made(root(), {}, NAME, "_SCOREBARS_COMPLETE")
    click.echo(script.source_template % script.source_vars())
