"""Checks an answer by the type that it is declared to have, at run time."""

from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict


def check(kind: Any, value: object, place: str = "answer") -> None:
    """Raises an error unless `value` is one of `kind`, with every required name and no name that it does not have."""
    origin, arguments = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        assert isinstance(value, dict), f"{place} is {value!r}; expected an object"
        hints = get_type_hints(kind, include_extras=True)
        required = {name for name, hint in hints.items() if get_origin(hint) is not NotRequired}
        missing, unknown = required - value.keys(), value.keys() - hints.keys()
        assert not missing and not unknown, f"{place} lacks {sorted(missing)}, and has {sorted(unknown)} besides"
        for name, item in value.items():
            check(hints[name], item, f"{place}.{name}")
    elif origin is NotRequired:
        check(arguments[0], value, place)
    elif origin in (Union, UnionType):
        faults = [fault for one in arguments if (fault := why_not(one, value, place)) is not None]
        assert len(faults) < len(arguments), " or ".join(faults)
    elif origin is list:
        assert isinstance(value, list), f"{place} is {value!r}; expected a list"
        for index, item in enumerate(value):
            check(arguments[0], item, f"{place}[{index}]")
    elif origin is dict:
        assert isinstance(value, dict), f"{place} is {value!r}; expected an object"
        for name, item in value.items():
            check(arguments[1], item, f"{place}.{name}")
    elif origin is Literal:
        assert value in arguments, f"{place} is {value!r}; expected one of {arguments}"
    elif kind is float:
        assert isinstance(value, int | float) and not isinstance(value, bool), f"{place} is {value!r}; expected a number"
    elif kind is not Any:
        expected = NoneType if kind is None else kind
        assert type(value) is expected, f"{place} is {value!r}; expected {expected.__name__}"


def why_not(kind: Any, value: object, place: str) -> str | None:
    try:
        check(kind, value, place)
    except AssertionError as fault:
        return str(fault)
    return None
