/** Which operands an operator accepts, as far as their kinds are known before evaluation. */
import type { BinaryOperator, NodeOf } from './syntax.ts';
import { kindNames, needsOf, type Kind } from './values.ts';

type Known = Kind | 'any';

export const fits = (kind: Known, ...wanted: readonly Kind[]) => kind === 'any' || wanted.includes(kind);
export const nameOfKind = (kind: Known) => (kind === 'any' ? 'any value' : kindNames[kind]);

type Operands = NodeOf<'binary'>;
type OperandRule = (node: Operands, left: Known, right: Known) => string | undefined;

const logic: OperandRule = ({ operator, left, right }, leftKind, rightKind) =>
  logicFault(operator, left.text, leftKind) ?? logicFault(operator, right.text, rightKind);

const order: OperandRule = ({ operator }, left, right) =>
  isPair(left, right) ? undefined : `${operator} cannot compare ${nameOfKind(left)} with ${nameOfKind(right)}.`;

const sum: OperandRule = (node, left, right) => (isPair(left, right) ? undefined : calculationFault(node, left, right));

const numbers: OperandRule = (node, left, right) =>
  fits(left, 'number') && fits(right, 'number') ? undefined : calculationFault(node, left, right);

const within: OperandRule = ({ left, right }, _kind, kind) => {
  if (fits(kind, 'list', 'map')) return undefined;
  const advice = kind === 'text' ? ` For text, write ${right.text}.contains(${left.text}).` : '';
  return `"in" needs a list or a map, but ${right.text} is ${nameOfKind(kind)}.${advice}`;
};

const rules: Record<BinaryOperator, { gives: Known; rule: OperandRule }> = {
  '&&': { gives: 'boolean', rule: logic },
  '||': { gives: 'boolean', rule: logic },
  // Values of different kinds can be compared. They are never equal.
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

/** Why a binary operator fails for all values of these kinds. Undefined if it can succeed. */
export const operandFault = (node: Operands, left: Known, right: Known): string | undefined =>
  rules[node.operator].rule(node, left, right);

/** The kind of the result. The sum of two texts is text. */
export function kindOfResult({ operator }: Operands, left: Known, right: Known): Known {
  const { gives } = rules[operator];
  return gives === 'any' && left === right ? left : gives;
}

export function logicFault(operator: string, text: string, kind: Known): string | undefined {
  return fits(kind, 'boolean') ? undefined : `${operator} needs true or false, but ${text} is ${nameOfKind(kind)}.`;
}

/** Names each operand whose kind is known. */
function calculationFault({ operator, left, right }: Operands, leftKind: Known, rightKind: Known): string {
  const given: [string, Known][] = [
    [left.text, leftKind],
    [right.text, rightKind],
  ];
  const known = given.filter(([, kind]) => kind !== 'any').map(([text, kind]) => `${text} is ${nameOfKind(kind)}`);
  return `${needsOf(operator)}, but ${known.join(' and ')}.`;
}

/** Whether both can be numbers or both can be texts. */
function isPair(left: Known, right: Known): boolean {
  if (!fits(left, 'number', 'text') || !fits(right, 'number', 'text')) return false;
  return left === 'any' || right === 'any' || left === right;
}
