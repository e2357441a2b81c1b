"""As much of JSON Schema as docs/results.schema.json uses; a keyword that is not known here is an error."""

import json
import re

KINDS = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}
COMMENTS = {"$schema", "title", "description", "$defs"}


class Schema:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.root = json.load(file)

    def defects(self, value):
        """Where and why the value does not fit; empty when it does."""
        return list(self.check(value, self.root, "$"))

    def check(self, value, schema, path):
        for keyword, demand in schema.items():
            if keyword not in COMMENTS:
                yield from getattr(self, "check_" + keyword.strip("$"))(value, demand, path, schema)

    def check_ref(self, value, reference, path, _):
        name = re.fullmatch(r"#/\$defs/(\w+)", reference)[1]
        yield from self.check(value, self.root["$defs"][name], path)

    def check_type(self, value, kinds, path, _):
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if not any(KINDS[kind](value) for kind in kinds):
            yield f"{path}: is no {' or '.join(kinds)}"

    def check_enum(self, value, choices, path, _):
        if not any(value == choice and isinstance(value, bool) == isinstance(choice, bool) for choice in choices):
            yield f"{path}: is none of {choices}"

    def check_required(self, value, names, path, _):
        if isinstance(value, dict):
            yield from (f"{path}: has no {name}" for name in names if name not in value)

    def check_properties(self, value, properties, path, _):
        if isinstance(value, dict):
            for name, schema in properties.items():
                if name in value:
                    yield from self.check(value[name], schema, f"{path}.{name}")

    def check_additionalProperties(self, value, schema, path, beside):
        if isinstance(value, dict):
            for name in value.keys() - beside.get("properties", {}).keys():
                yield from self.check(value[name], schema, f"{path}.{name}")

    def check_items(self, value, schema, path, _):
        if isinstance(value, list):
            for k, item in enumerate(value):
                yield from self.check(item, schema, f"{path}[{k}]")

    def check_minimum(self, value, least, path, _):
        if KINDS["number"](value) and value < least:
            yield f"{path}: is below {least}"

    def check_pattern(self, value, pattern, path, _):
        if isinstance(value, str) and not re.search(pattern, value):
            yield f"{path}: does not match {pattern}"

    def check_anyOf(self, value, schemas, path, _):
        if all(any(True for _ in self.check(value, schema, path)) for schema in schemas):
            yield f"{path}: fits none of {len(schemas)} alternatives"
