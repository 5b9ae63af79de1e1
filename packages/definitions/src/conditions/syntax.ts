/**
 * The syntax tree of a condition. Its nodes are frozen plain objects, so that it can be cached, shared and sent to a worker
 * thread. Each node has its own CEL text, because explanations show parts of a condition.
 */

/** A fault and its offset in the text as written. */
export interface ConditionFault {
  offset: number;
  detail: string;
}

export interface Condition {
  /** As written, in CEL or Python syntax. */
  readonly source: string;
  /** Translated to CEL. */
  readonly cel: string;
  /** Undefined for an empty condition, which always holds. */
  readonly ast: ConditionNode | undefined;
}

export type LogicOperator = '&&' | '||';
export type OrderOperator = '<' | '<=' | '>' | '>=';
export type ComparisonOperator = '==' | '!=' | 'in' | OrderOperator;
export type CalculationOperator = '+' | '-' | '*' | '/' | '%';
export type BinaryOperator = LogicOperator | ComparisonOperator | CalculationOperator;
export type MacroName = 'all' | 'exists' | 'filter' | 'map';

type Syntax =
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'name'; name: string }
  | { kind: 'field'; of: ConditionNode; name: string; nameAt: number }
  | { kind: 'index'; of: ConditionNode; index: ConditionNode }
  | { kind: 'list'; items: readonly ConditionNode[] }
  | { kind: 'unary'; operator: '!' | '-'; operand: ConditionNode }
  | { kind: 'binary'; operator: BinaryOperator; left: ConditionNode; right: ConditionNode }
  | { kind: 'choice'; test: ConditionNode; yes: ConditionNode; no: ConditionNode }
  /** `x.contains(y)` has the values x and y. */
  | { kind: 'call'; name: string; values: readonly ConditionNode[] }
  | { kind: 'has'; target: ConditionNode }
  | { kind: 'macro'; name: MacroName; over: ConditionNode; variable: string; body: ConditionNode };

/** `at` is the offset in the text as written. */
export type ConditionNode = Readonly<Syntax & { at: number; text: string }>;
export type NodeOf<Kind extends ConditionNode['kind']> = Extract<ConditionNode, { kind: Kind }>;

export const macroNames: readonly MacroName[] = ['all', 'exists', 'filter', 'map'];
export const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

export const isMacroName = (name: string): name is MacroName => macroNames.some((macro) => macro === name);
export const isComparison = (operator: BinaryOperator): operator is ComparisonOperator => comparisons.has(operator);

/** A function for each kind of node. */
export type ByKind<Context, Result> = {
  readonly [Kind in ConditionNode['kind']]: (node: NodeOf<Kind>, context: Context) => Result;
};

export function visit<Context, Result>(by: ByKind<Context, Result>, node: ConditionNode, context: Context): Result {
  const handle = by[node.kind] as (node: ConditionNode, context: Context) => Result;
  return handle(node, context);
}

const parts: ByKind<undefined, readonly ConditionNode[]> = {
  literal: () => [],
  name: () => [],
  field: ({ of }) => [of],
  index: ({ of, index }) => [of, index],
  list: ({ items }) => items,
  unary: ({ operand }) => [operand],
  binary: ({ left, right }) => [left, right],
  choice: ({ test, yes, no }) => [test, yes, no],
  call: ({ values }) => values,
  has: ({ target }) => [target],
  macro: ({ over, body }) => [over, body],
};

/** The parts of a node in text order. */
export const partsOf = (node: ConditionNode): readonly ConditionNode[] => visit(parts, node, undefined);

const precedenceOf: Record<BinaryOperator, number> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '<': 3,
  '<=': 3,
  '>': 3,
  '>=': 3,
  in: 3,
  '+': 4,
  '-': 4,
  '*': 5,
  '/': 5,
  '%': 5,
};
const unaryPrecedence = 6;

function precedence(node: ConditionNode): number {
  if (node.kind === 'choice') return 0;
  if (node.kind === 'binary') return precedenceOf[node.operator];
  return node.kind === 'unary' ? unaryPrecedence : unaryPrecedence + 1;
}

/** Adds parentheses to a node of lower precedence. */
const parenthesised = (node: ConditionNode, least: number) => (precedence(node) < least ? `(${node.text})` : node.text);

export function textOfBinary(operator: BinaryOperator, left: ConditionNode, right: ConditionNode): string {
  const own = precedenceOf[operator];
  // Chained comparisons are not supported, so a nested comparison gets parentheses on either side.
  const least = comparisons.has(operator) ? own + 1 : own;
  return `${parenthesised(left, least)} ${operator} ${parenthesised(right, own + 1)}`;
}

export const textOfUnary = (operator: '!' | '-', operand: ConditionNode) =>
  // -(-1), because -- is hard to read.
  operator === '-' && operand.kind === 'unary'
    ? `-(${operand.text})`
    : `${operator}${parenthesised(operand, unaryPrecedence)}`;

export const textOfChoice = (test: ConditionNode, yes: ConditionNode, no: ConditionNode) =>
  `${parenthesised(test, 1)} ? ${parenthesised(yes, 1)} : ${no.text}`;

/** The text of a node before a dot or bracket. */
export const textBeforeDot = (node: ConditionNode) => parenthesised(node, unaryPrecedence + 1);
