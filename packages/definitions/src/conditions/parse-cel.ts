/**
 * Parses CEL into our own tree. Only the parser of the library is used, with limits. Its evaluator throws on missing values,
 * distinguishes integers from other numbers, and cannot explain its result.
 */
import { Environment, ParseError, type ParseResult } from '@marcbachmann/cel-js';
import {
  isMacroName,
  textBeforeDot,
  textOfBinary,
  textOfChoice,
  textOfUnary,
  type BinaryOperator,
  type ConditionFault,
  type ConditionNode,
} from './syntax.ts';
import { functions } from './functions.ts';
import { maxArguments, maxLevels, maxNodes } from './limits.ts';
import { describeParseError } from './parse-errors.ts';

type CelNode = ParseResult['ast'];

const parser = new Environment({
  limits: {
    maxAstNodes: maxNodes,
    maxDepth: maxLevels,
    maxListElements: maxNodes,
    maxMapEntries: 0,
    maxCallArguments: maxArguments,
  },
});

interface Reading {
  cel: string;
  offsetOf: (offset: number) => number;
  faults: ConditionFault[];
}

/** `offsetOf` maps an offset in `cel` to the offset in the text as written. */
export function parseCel(cel: string, offsetOf: (offset: number) => number) {
  const reading: Reading = { cel, offsetOf, faults: [] };
  try {
    const { ast } = parser.parse(cel);
    return { ast: nodeFrom(ast, reading), faults: reading.faults };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const offset = offsetOf(error.range?.start ?? 0);
    return { ast: undefined, faults: [{ offset, detail: describeParseError(error, cel) }] };
  }
}

type Written = ConditionNode extends infer Node ? (Node extends ConditionNode ? Omit<Node, 'at'> : never) : never;
type CelNodeOf<Op extends CelNode['op']> = Extract<CelNode, { op: Op }>;

function nodeFrom(node: CelNode, reading: Reading): ConditionNode {
  const read = readers[node.op] as (node: CelNode, reading: Reading) => Written;
  return Object.freeze({ ...read(node, reading), at: reading.offsetOf(node.start) } as ConditionNode);
}

function binary({ op, args }: CelNodeOf<BinaryOperator>, reading: Reading): Written {
  const [left, right] = [nodeFrom(args[0], reading), nodeFrom(args[1], reading)];
  return { kind: 'binary', operator: op, left, right, text: textOfBinary(op, left, right) };
}

function unary(operator: '!' | '-', { args }: CelNodeOf<'!_' | '-_'>, reading: Reading): Written {
  const operand = nodeFrom(args, reading);
  return { kind: 'unary', operator, operand, text: textOfUnary(operator, operand) };
}

function field({ args: [receiver, name], pos }: CelNodeOf<'.' | '.?'>, reading: Reading): Written {
  const of = nodeFrom(receiver, reading);
  return { kind: 'field', of, name, nameAt: reading.offsetOf(pos), text: `${textBeforeDot(of)}.${name}` };
}

function item({ args }: CelNodeOf<'[]' | '[?]'>, reading: Reading): Written {
  const [of, index] = [nodeFrom(args[0], reading), nodeFrom(args[1], reading)];
  return { kind: 'index', of, index, text: `${textBeforeDot(of)}[${index.text}]` };
}

function list({ args }: CelNodeOf<'list'>, reading: Reading): Written {
  const items = args.map((entry) => nodeFrom(entry, reading));
  return { kind: 'list', items: Object.freeze(items), text: `[${textsOf(items)}]` };
}

function choice({ args }: CelNodeOf<'?:'>, reading: Reading): Written {
  const [test, yes, no] = [nodeFrom(args[0], reading), nodeFrom(args[1], reading), nodeFrom(args[2], reading)];
  return { kind: 'choice', test, yes, no, text: textOfChoice(test, yes, no) };
}

const textsOf = (nodes: readonly ConditionNode[]) => nodes.map(({ text }) => text).join(', ');

function literal(node: CelNodeOf<'value'>, reading: Reading): Written {
  const value = node.args;
  const text = reading.cel.slice(node.start, node.end);
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return { kind: 'literal', value, text };
  if (typeof value !== 'bigint') {
    const advice =
      value instanceof Uint8Array
        ? 'bytes are not supported. Write text.'
        : `${text} is not supported. Write the number without u.`;
    return rejected(node, reading, advice);
  }
  const number = Number(value);
  if (Number.isSafeInteger(number)) return { kind: 'literal', value: number, text };
  return rejected(node, reading, `${text} is too large. Integers are exact only up to ${Number.MAX_SAFE_INTEGER}.`);
}

/** A placeholder node, so that the rest can still be parsed. */
function rejected(node: CelNode, reading: Reading, detail: string): Written {
  reading.faults.push({ offset: reading.offsetOf(node.start), detail });
  return { kind: 'literal', value: null, text: reading.cel.slice(node.start, node.end) };
}

function call(node: CelNodeOf<'call'>, reading: Reading): Written {
  const [name, args] = node.args;
  const values = args.map((arg) => nodeFrom(arg, reading));
  const text = `${name}(${textsOf(values)})`;
  if (name !== 'has') return checkCount(node, { kind: 'call', name, values: Object.freeze(values), text }, reading);
  const [target, ...others] = values;
  if ((target?.kind !== 'field' && target?.kind !== 'index') || others.length > 0)
    return rejected(node, reading, "has() takes one field, as in has(experiment.variables['usable']).");
  return { kind: 'has', target, text };
}

function methodCall(node: CelNodeOf<'rcall'>, reading: Reading): Written {
  const [name, receiver, args] = node.args;
  const of = nodeFrom(receiver, reading);
  if (!isMacroName(name)) {
    const values = args.map((arg) => nodeFrom(arg, reading));
    const text = `${textBeforeDot(of)}.${name}(${textsOf(values)})`;
    return checkCount(node, { kind: 'call', name, values: Object.freeze([of, ...values]), text }, reading);
  }
  const [variable, inner, ...others] = args;
  if (variable?.op !== 'id' || !inner || others.length > 0)
    return rejected(node, reading, `${name}() takes a name and an expression, as in list.${name}(x, x > 1).`);
  const body = nodeFrom(inner, reading);
  const text = `${textBeforeDot(of)}.${name}(${variable.args}, ${body.text})`;
  return { kind: 'macro', name, over: of, variable: variable.args, body, text };
}

type WrittenCall = Extract<Written, { kind: 'call' }>;

function checkCount(node: CelNode, made: WrittenCall, reading: Reading): Written {
  const known = functions.get(made.name);
  if (!known) return rejected(node, reading, `${made.name}() is not a known function.`);
  if (known.takes === made.values.length) return made;
  return rejected(node, reading, `wrong number of arguments. Write ${known.example}.`);
}

const readers: { [Op in CelNode['op']]: (node: CelNodeOf<Op>, reading: Reading) => Written } = {
  value: literal,
  id: ({ args }) => ({ kind: 'name', name: args, text: args }),
  '.': field,
  '.?': field,
  '[]': item,
  '[?]': item,
  list,
  map: (node, reading) => rejected(node, reading, 'maps ({ }) are not supported.'),
  call,
  rcall: methodCall,
  '?:': choice,
  '!_': (node, reading) => unary('!', node, reading),
  '-_': (node, reading) => unary('-', node, reading),
  '&&': binary,
  '||': binary,
  '==': binary,
  '!=': binary,
  '<': binary,
  '<=': binary,
  '>': binary,
  '>=': binary,
  in: binary,
  '+': binary,
  '-': binary,
  '*': binary,
  '/': binary,
  '%': binary,
};
