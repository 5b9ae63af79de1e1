/** Which operands an operator can work on, as far as their kinds are known before there are values. */
import type { BinaryOperator, NodeOf } from './condition-syntax.ts';
import { wordsFor, type Kind } from './condition-values.ts';

type Known = Kind | 'any';

export const fits = (kind: Known, ...wanted: readonly Kind[]) => kind === 'any' || wanted.includes(kind);
export const nameOfKind = (kind: Known) => (kind === 'any' ? 'any value' : wordsFor[kind]);

type Operands = NodeOf<'binary'>;
type OperandRule = (node: Operands, left: Known, right: Known) => string | undefined;

const logic: OperandRule = ({ operator, left, right }, leftKind, rightKind) =>
  logicFault(operator, left.text, leftKind) ?? logicFault(operator, right.text, rightKind);

const order: OperandRule = ({ operator }, left, right) =>
  isPair(left, right) ? undefined : `cannot compare ${nameOfKind(left)} with ${nameOfKind(right)} by ${operator}.`;

const sum: OperandRule = (_node, left, right) =>
  isPair(left, right) ? undefined : `cannot calculate ${nameOfKind(left)} + ${nameOfKind(right)}.`;

const numbers: OperandRule = ({ operator }, left, right) =>
  fits(left, 'number') && fits(right, 'number')
    ? undefined
    : `cannot calculate ${nameOfKind(left)} ${operator} ${nameOfKind(right)}.`;

const within: OperandRule = ({ left, right }, _kind, kind) => {
  if (fits(kind, 'list', 'map')) return undefined;
  const advice = kind === 'text' ? `: for text write ${right.text}.contains(${left.text})` : '';
  return `in looks into lists and maps, and ${right.text} is ${nameOfKind(kind)}${advice}.`;
};

const rules: Record<BinaryOperator, { gives: Known; rule: OperandRule }> = {
  '&&': { gives: 'boolean', rule: logic },
  '||': { gives: 'boolean', rule: logic },
  // Values of different kinds may be compared: they are different.
  '==': { gives: 'boolean', rule: () => undefined },
  '!=': { gives: 'boolean', rule: () => undefined },
  '<': { gives: 'boolean', rule: order },
  '<=': { gives: 'boolean', rule: order },
  '>': { gives: 'boolean', rule: order },
  '>=': { gives: 'boolean', rule: order },
  in: { gives: 'boolean', rule: within },
  '+': { gives: 'any', rule: sum },
  '-': { gives: 'number', rule: numbers },
  '*': { gives: 'number', rule: numbers },
  '/': { gives: 'number', rule: numbers },
  '%': { gives: 'number', rule: numbers },
};

/** Why a binary operator must fail whatever the values are; undefined if it need not. */
export const operandFault = (node: Operands, left: Known, right: Known): string | undefined =>
  rules[node.operator].rule(node, left, right);

/** What it gives. The sum of two texts is text. */
export function kindOfResult({ operator }: Operands, left: Known, right: Known): Known {
  const { gives } = rules[operator];
  return gives === 'any' && left === right ? left : gives;
}

export function logicFault(operator: string, text: string, kind: Known): string | undefined {
  return fits(kind, 'boolean') ? undefined : `${text} is ${nameOfKind(kind)}, and ${operator} needs true or false.`;
}

/** Two numbers or two texts are needed. */
function isPair(left: Known, right: Known): boolean {
  if (!fits(left, 'number', 'text') || !fits(right, 'number', 'text')) return false;
  return left === 'any' || right === 'any' || left === right;
}
