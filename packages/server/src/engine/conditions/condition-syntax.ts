/**
 * What a condition is made of once it is read: a tree of frozen plain objects, so that it can be kept, shared and sent to a
 * worker thread. Each node carries its own text in CEL, as people are shown parts of a condition and not only the whole.
 */

/** What is wrong, and where: an offset into the text as it was written. */
export interface ConditionFault {
  offset: number;
  detail: string;
}

export interface Condition {
  /** As written, in either spelling. */
  readonly source: string;
  /** As read, in CEL. */
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
  /** `x.contains(y)` has the values x and y: which of them stands before the dot is a matter of spelling. */
  | { kind: 'call'; name: string; values: readonly ConditionNode[] }
  | { kind: 'has'; target: ConditionNode }
  | { kind: 'macro'; name: MacroName; over: ConditionNode; variable: string; body: ConditionNode };

/** `at` is where it begins in the text as written. */
export type ConditionNode = Readonly<Syntax & { at: number; text: string }>;
export type NodeOf<Kind extends ConditionNode['kind']> = Extract<ConditionNode, { kind: Kind }>;

export const macroNames: readonly MacroName[] = ['all', 'exists', 'filter', 'map'];
export const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

export const isMacroName = (name: string): name is MacroName => macroNames.some((macro) => macro === name);
export const isComparison = (operator: BinaryOperator): operator is ComparisonOperator => comparisons.has(operator);

/** What to do with each kind of node. */
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

/** The parts of a node, in the order in which they are written. */
export const partsOf = (node: ConditionNode): readonly ConditionNode[] => visit(parts, node, undefined);

const strengthOf: Record<BinaryOperator, number> = {
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
const unaryStrength = 6;

function strength(node: ConditionNode): number {
  if (node.kind === 'choice') return 0;
  if (node.kind === 'binary') return strengthOf[node.operator];
  return node.kind === 'unary' ? unaryStrength : unaryStrength + 1;
}

/** In parentheses if it would otherwise fall apart beside an operator of that strength. */
const bound = (node: ConditionNode, least: number) => (strength(node) < least ? `(${node.text})` : node.text);

export function textOfBinary(operator: BinaryOperator, left: ConditionNode, right: ConditionNode): string {
  const own = strengthOf[operator];
  // a < b < c cannot be written, so a comparison inside a comparison has parentheses on either side.
  const least = comparisons.has(operator) ? own + 1 : own;
  return `${bound(left, least)} ${operator} ${bound(right, own + 1)}`;
}

export const textOfUnary = (operator: '!' | '-', operand: ConditionNode) =>
  // -(-1), as -- would be read by no one.
  operator === '-' && operand.kind === 'unary' ? `-(${operand.text})` : `${operator}${bound(operand, unaryStrength)}`;

export const textOfChoice = (test: ConditionNode, yes: ConditionNode, no: ConditionNode) =>
  `${bound(test, 1)} ? ${bound(yes, 1)} : ${no.text}`;

/** What a dot or bracket is put behind. */
export const textBeforeDot = (node: ConditionNode) => bound(node, unaryStrength + 1);
