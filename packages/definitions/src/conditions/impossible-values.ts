/** Finds texts that a value is compared with, although it can never be equal to them: `result == 'sucess'`. */
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
  if (operator !== '==') return [];
  return [...compared(left, leftShape, right), ...compared(right, rightShape, left)];
}

function compared({ text }: ConditionNode, shape: Shape, literal: ConditionNode): ImpossibleValue[] {
  const known = 'values' in shape ? shape.values : undefined;
  if (!known || literal.kind !== 'literal' || typeof literal.value !== 'string' || known.includes(literal.value))
    return [];
  return [{ literal, detail: `${text} is never ${literal.text}. ${suggestion(literal.value, known)}` }];
}
