/** Finds literals that a value is compared with, although it can never be equal to them: `result == 'sucess'`. */
import { suggestion } from '@milepost/api';
import type { Shape } from './names.ts';
import type { ConditionNode, NodeOf } from './syntax.ts';

interface ImpossibleValue {
  literal: ConditionNode;
  detail: string;
}

export function impossibleValues(
  { operator, left, right }: NodeOf<'binary'>,
  [leftShape, rightShape]: readonly [Shape, Shape],
): ImpossibleValue[] {
  if (operator === 'in') return right.kind === 'list' ? within(left, leftShape, right.items) : [];
  if (operator !== '==' && operator !== '!=') return [];
  return [...within(left, leftShape, [right]), ...within(right, rightShape, [left])];
}

function within({ text }: ConditionNode, shape: Shape, literals: readonly ConditionNode[]): ImpossibleValue[] {
  const known = 'values' in shape ? shape.values : undefined;
  if (!known) return [];
  return literals.flatMap((literal) => {
    if (literal.kind !== 'literal' || typeof literal.value !== 'string' || known.includes(literal.value)) return [];
    return [{ literal, detail: `${text} is never ${literal.text}. ${suggestion(literal.value, known)}` }];
  });
}
