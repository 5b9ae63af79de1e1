"""Evaluates conditions with Python. Reads [[condition, inputs], ...] as JSON and writes [[result, result in any order], ...].

A result is "T", "F", "-" if Python raises an error, or "?" for a value that is neither True nor False. For the second result, the
operands of and and or, and the elements of all and any, are evaluated as if the decisive ones came first.
"""

import ast
import enum
import json
import sys


class Map(dict):
    """A map whose missing values are None, and whose values are also attributes."""

    def __missing__(self, key):
        return None

    def __getattr__(self, name):
        return self[name]


class Result(str, enum.Enum):
    none = "none"
    success = "success"
    failed = "failed"
    timeout = "timeout"


def decide(decisive, tests):
    failure = None
    for test in tests:
        try:
            if test() is decisive:
                return decisive
        except Exception as error:
            failure = failure or error
    if failure:
        raise failure
    return not decisive


class AnyOrder(ast.NodeTransformer):
    def visit_BoolOp(self, node):
        self.generic_visit(node)
        nothing = ast.arguments([], [], None, [], [], None, [])
        tests = ast.List([ast.Lambda(nothing, value) for value in node.values], ast.Load())
        return call("decide", ast.Constant(isinstance(node.op, ast.Or)), tests)

    def visit_Call(self, node):
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in ("all", "any"):
            return node
        [generator] = node.args
        [loop] = generator.generators
        body = ast.Lambda(ast.arguments([], [ast.arg(loop.target.id)], None, [], [], None, []), generator.elt)
        return call("decide_each", ast.Constant(node.func.id == "any"), body, loop.iter)


def call(name, *arguments):
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def decide_each(decisive, body, elements):
    return decide(decisive, [lambda element=element: body(element) for element in elements])


builtins = {"len": len, "int": int, "str": str, "all": all, "any": any, "decide": decide, "decide_each": decide_each}


def evaluate(tree, names):
    code = compile(ast.fix_missing_locations(tree), "condition", "eval")
    try:
        result = eval(code, {"__builtins__": builtins, **names})
    except Exception:
        return "-"
    return {True: "T", False: "F"}[result] if isinstance(result, bool) else "?"


def results(condition, names):
    for callback in names["callbacks"].values():
        callback["result"] = Result(callback["result"])
    strict = evaluate(ast.parse(condition, mode="eval"), names)
    return [strict, evaluate(AnyOrder().visit(ast.parse(condition, mode="eval")), names)]


cases = json.load(sys.stdin, object_hook=Map)
json.dump([results(condition, names) for condition, names in cases], sys.stdout)
