"""The tree of commands, each imported when it is asked for, and the help that starts with an example."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import click

from scorebars.cli import guesses

NAME: Final = "scorebars"
COMMANDS: Final = {
    "estimate": "scorebars.cli.estimate:estimate",
    "compare": "scorebars.cli.compare:compare",
    "doctor": "scorebars.cli.doctor:doctor",
    "convert": "scorebars.cli.convert:convert",
    "formats": "scorebars.cli.formats:formats",
    "completion": "scorebars.cli.completion:completion",
}
ALIASES: Final = {"show": "estimate"}


EXIT_CODES: Final = "Exit codes: 0 done, 2 an error (one line on standard error), 130 interrupted."
NARROW: Final = 60
"""Up to this many columns the help of an option stands below its name."""


class Example(click.Command):
    """A command whose help starts with an example and lists its options by section."""

    def __init__(
        self, *args: Any, example: str, also: tuple[str, ...] = (), exit_codes: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.also = also
        self.exit_codes = EXIT_CODES if exit_codes is None else exit_codes

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The example first, then usage, explanation and options."""
        _write_example(formatter, self.example)
        super().format_help(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Options under the headings of their sections."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections.setdefault(getattr(parameter, "section", "Help"), []).append(record)
        for title in sorted(sections, key="Help".__eq__):
            with formatter.section(title):
                formatter.write_dl(sections[title], col_max=30 if formatter.width > NARROW else 12)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """More examples, and what the exit codes mean."""
        super().format_epilog(ctx, formatter)
        if self.also:
            with formatter.section("More examples"):
                formatter.write("".join(f"{' ' * formatter.current_indent}{line}\n" for line in self.also))
        formatter.write_paragraph()
        formatter.write_text(self.exit_codes)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, with an error for an unknown option that offers the nearest."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            known = [name for parameter in self.get_params(ctx) for name in parameter.opts if name.startswith("--")]
            message = guesses.option(error.option_name, given, known, ctx.command_path)
            raise click.UsageError(message, ctx) from error


class Option(click.Option):
    """An option that stands under a heading of the help."""

    def __init__(self, *args: Any, section: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class Commands(click.Group):
    """The root: commands are imported by name, a wrong name is answered with the nearest."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which people need them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command, whether called by its name or by an alias."""
        del ctx
        target = COMMANDS.get(ALIASES.get(cmd_name, cmd_name))
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the first argument; a UsageError with the near miss where there is none."""
        name = args[0]
        command = self.get_command(ctx, name)
        if command is None:
            raise click.UsageError(guesses.command(args, [*COMMANDS, *ALIASES, "--help", "--version"]), ctx)
        return name, command, args[1:]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, with the same error for an unknown option as for an unknown command."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            self.resolve_command(ctx, [error.option_name])
            raise

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The example first."""
        _write_example(formatter, "scorebars estimate results.csv")
        super().format_help(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Commands with their aliases."""
        aliases = {name: alias for alias, name in ALIASES.items()}
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            also = f" (or: {aliases[name]})" if name in aliases else ""
            rows.append((name, "" if command is None else command.get_short_help_str(60) + also))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def root() -> Commands:
    """The command ``scorebars``."""
    return Commands(
        NAME,
        help="Error bars for benchmark scores: how sure is a score, is A really better than B?",
        epilog="'scorebars COMMAND --help' explains a command; 'scorebars formats' lists the files that can be read.",
        context_settings={"help_option_names": ["-h", "--help"]},
        params=[_version_option()],
    )


def _version_option() -> click.Option:
    return click.Option(
        ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Print the version."
    )


def _version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    del parameter
    if value:
        import scorebars

        click.echo(f"{NAME} {scorebars.__version__}")
        ctx.exit()


def _write_example(formatter: click.HelpFormatter, example: str) -> None:
    formatter.write(f"Example: {example}\n\n")
