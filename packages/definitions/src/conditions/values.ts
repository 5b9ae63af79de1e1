/**
 * The values of conditions: JSON values with one kind of number. Values of different kinds are never equal and have no order.
 * Work that grows with the data is counted, so that no condition takes long, whatever the variables contain.
 */
import type { CalculationOperator, ConditionNode, OrderOperator } from './syntax.ts';
import { orderOfTexts } from './text.ts';

export type Kind = 'null' | 'boolean' | 'number' | 'text' | 'list' | 'map';

/** Why a part has no value. `where` is the innermost part that could not be evaluated. */
export class Failure {
  where: ConditionNode | undefined;
  readonly detail: string;
  /** The budget is used up, so nothing else can be evaluated. */
  readonly exhausted: boolean;

  constructor(detail: string, exhausted = false) {
    this.detail = detail;
    this.exhausted = exhausted;
  }
}

/** A JSON value or a Failure. */
export type Outcome = unknown;

/** The remaining steps. A step is a list element, a part of a macro's body, or a few characters of a text. */
export interface Budget {
  steps: number;
}
/** A step takes 0.1 to 0.3 µs on a busy machine with two cores. */
export const maxSteps = 100_000;
/** `glance`: texts are compared or joined. `reading`: each character is examined. */
const charactersPerStep = { glance: 64, reading: 4 };
export const maxTextLength = 100_000;
/** The maximum depth of comparisons. Request bodies have at most 32 levels. */
const maxDepth = 64;

const tooMany = `it takes more than ${maxSteps.toLocaleString('en')} steps`;
export const tooManySteps = () => new Failure(tooMany, true);

const kinds: Readonly<Record<string, Kind>> = { boolean: 'boolean', number: 'number', string: 'text', object: 'map' };

export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  // Values that are not JSON count as missing.
  return kinds[typeof value] ?? 'null';
}

export const kindNames: Record<Kind, string> = {
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  text: 'text',
  list: 'a list',
  map: 'a map',
};

export const isMap = (value: unknown): value is Record<string, unknown> => kindOf(value) === 'map';

/** Returns false if the budget is too small. */
export function spend(budget: Budget, steps: number): boolean {
  if (budget.steps < steps) return false;
  budget.steps -= steps;
  return true;
}

export const spendOnText = (budget: Budget, work: keyof typeof charactersPerStep, characters: number) =>
  spend(budget, Math.floor(characters / charactersPerStep[work]));

/** The value of a field, or null if it is missing. Only own properties count, so `constructor` has no special meaning. */
export function fieldOf(value: unknown, name: string): Outcome {
  const kind = kindOf(value);
  if (kind === 'null') return null;
  if (!isMap(value)) return new Failure(`${kindNames[kind]} has no fields`);
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

export function itemOf(value: unknown, index: unknown): Outcome {
  const kind = kindOf(value);
  if (kind === 'null') return null;
  if (Array.isArray(value)) {
    if (Number.isInteger(index)) return (value[Number(index)] as unknown) ?? null;
    return new Failure(
      `a list index must be a whole number, not ${typeof index === 'number' ? index : kindNames[kindOf(index)]}`,
    );
  }
  if (kind !== 'map') return new Failure(`${kindNames[kind]} cannot be indexed with [ ]`);
  if (typeof index === 'string') return fieldOf(value, index);
  return new Failure(`a map key must be text, not ${kindNames[kindOf(index)]}`);
}

/** Undefined if the budget is too small to decide. */
export function areEqual(a: unknown, b: unknown, budget: Budget, depth = 0): boolean | undefined {
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return false;
  if (kind === 'null') return true;
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length !== b.length) return false;
    return spendOnText(budget, 'glance', a.length) ? a === b : undefined;
  }
  if (depth > maxDepth) return undefined;
  if (Array.isArray(a) && Array.isArray(b)) return areListsEqual(a, b, budget, depth + 1);
  if (isMap(a) && isMap(b)) return areMapsEqual(a, b, budget, depth + 1);
  return a === b;
}

function areListsEqual(a: readonly unknown[], b: readonly unknown[], budget: Budget, depth: number) {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    const equal = spend(budget, 1) ? areEqual(a[index], b[index], budget, depth) : undefined;
    if (equal !== true) return equal;
  }
  return true;
}

function areMapsEqual(a: Record<string, unknown>, b: Record<string, unknown>, budget: Budget, depth: number) {
  const names = Object.keys(a);
  if (!spend(budget, names.length)) return undefined;
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    const equal = Object.hasOwn(b, name) ? areEqual(a[name], b[name], budget, depth) : false;
    if (equal !== true) return equal;
  }
  return true;
}

export function isWithin(value: unknown, container: unknown, budget: Budget): Outcome {
  if (isMap(container)) return typeof value === 'string' && Object.hasOwn(container, value);
  if (!Array.isArray(container)) {
    const advice = typeof container === 'string' ? '. For text, write x.contains(y)' : '';
    return new Failure(`"in" needs a list or a map, not ${kindNames[kindOf(container)]}${advice}`);
  }
  for (const item of container) {
    const equal = spend(budget, 1) ? areEqual(value, item, budget) : undefined;
    if (equal === undefined) return tooManySteps();
    if (equal) return true;
  }
  return false;
}

export const isOrder = (operator: string): operator is OrderOperator => Object.hasOwn(orders, operator);

export function inOrder(operator: OrderOperator, left: unknown, right: unknown, budget: Budget): Outcome {
  const difference = differenceOf(left, right, budget);
  if (difference instanceof Failure) return difference;
  return orders[operator](difference);
}

const orders: Record<OrderOperator, (difference: number) => boolean> = {
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

function differenceOf(left: unknown, right: unknown, budget: Budget): number | Failure {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string')
    return spendOnText(budget, 'reading', Math.min(left.length, right.length))
      ? orderOfTexts(left, right)
      : tooManySteps();
  return new Failure(`cannot compare ${kindNames[kindOf(left)]} with ${kindNames[kindOf(right)]}`);
}

export function calculate(operator: CalculationOperator, left: unknown, right: unknown, budget: Budget): Outcome {
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') {
    const length = left.length + right.length;
    if (length > maxTextLength)
      return new Failure(`the text would be longer than ${maxTextLength.toLocaleString('en')} characters`);
    return spendOnText(budget, 'glance', length) ? left + right : tooManySteps();
  }
  if (typeof left !== 'number' || typeof right !== 'number')
    return new Failure(`${needsOf(operator)}, not ${kindNames[kindOf(left)]} and ${kindNames[kindOf(right)]}`);
  if (right === 0 && (operator === '/' || operator === '%')) return new Failure('cannot divide by 0');
  const result = results[operator](left, right);
  return Number.isFinite(result) ? result : new Failure('the result is too large');
}

/** The operands that an operator accepts, such as: - needs two numbers. */
export const needsOf = (operator: string) => `${operator} needs two numbers${operator === '+' ? ' or two texts' : ''}`;

const results: Record<CalculationOperator, (left: number, right: number) => number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};
