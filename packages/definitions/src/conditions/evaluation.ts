/**
 * Evaluates a part of a condition. Nothing throws: a part that cannot be evaluated is a Failure. As in CEL, false && failure is
 * false and true || failure is true. Every operand is evaluated, and outside of macros its outcome is recorded, so that the value
 * of each part can be shown.
 */
import { visit } from './syntax.ts';
import type { BinaryOperator, ByKind, ConditionNode, MacroName, NodeOf } from './syntax.ts';
import { functions } from './functions.ts';
import * as values from './values.ts';
import { Failure, kindOf, tooManySteps, kindNames, type Budget, type Outcome } from './values.ts';

export interface Evaluation extends Budget {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outcomes: Map<ConditionNode, Outcome>;
  /** The variable of the current macro and its value. */
  element?: { name: string; value: unknown } | undefined;
}

const maxElements = 10_000;
const withCommas = (count: number) => count.toLocaleString('en');

export function evaluate(node: ConditionNode, run: Evaluation): Outcome {
  if (run.element && !values.spend(run, 1)) return tooManySteps();
  const outcome = outcomeOf(node, run);
  if (outcome instanceof Failure) outcome.where ??= node;
  if (!run.element) run.outcomes.set(node, outcome);
  return outcome;
}

const outcomeOf = (node: ConditionNode, run: Evaluation): Outcome => visit(evaluators, node, run);

const evaluators: ByKind<Evaluation, Outcome> = {
  literal: ({ value }) => value,
  name: ({ name }, run) => (run.element?.name === name ? run.element.value : values.fieldOf(run.inputs, name)),
  field: ({ of, name }, run) => {
    const value = evaluate(of, run);
    return value instanceof Failure ? value : values.fieldOf(value, name);
  },
  index: ({ of, index }, run) => {
    const [value, key] = [evaluate(of, run), evaluate(index, run)];
    return firstFailure(value, key) ?? values.itemOf(value, key);
  },
  list: ({ items }, run) => {
    const found = items.map((item) => evaluate(item, run));
    return firstFailure(...found) ?? found;
  },
  unary: ({ operator, operand }, run) => unary(operator, evaluate(operand, run)),
  binary: (node, run) => binary(node.operator, evaluate(node.left, run), evaluate(node.right, run), run),
  choice: choose,
  call,
  has,
  macro: (node, run) => runMacro(node, evaluate(node.over, run), run),
};

const firstFailure = (...found: readonly Outcome[]) => found.find((outcome) => outcome instanceof Failure);

/** `decisive` on either side decides, whatever the other side is. */
function decide(decisive: boolean, left: Outcome, right: Outcome, operator: string): Outcome {
  if (left === decisive || right === decisive) return decisive;
  for (const side of [left, right]) {
    if (side instanceof Failure) return side;
    if (side !== !decisive) return notBoolean(operator, side);
  }
  return !decisive;
}

const notBoolean = (operator: string, value: unknown) =>
  new Failure(`${operator} needs true or false, not ${kindNames[kindOf(value)]}`);

function binary(operator: BinaryOperator, left: Outcome, right: Outcome, run: Evaluation): Outcome {
  if (operator === '&&') return decide(false, left, right, operator);
  if (operator === '||') return decide(true, left, right, operator);
  if (left instanceof Failure) return left;
  if (right instanceof Failure) return right;
  if (operator === '==' || operator === '!=') return equality(operator, left, right, run);
  if (operator === 'in') return values.isWithin(left, right, run);
  return values.isOrder(operator)
    ? values.inOrder(operator, left, right, run)
    : values.calculate(operator, left, right, run);
}

function equality(operator: '==' | '!=', left: unknown, right: unknown, run: Evaluation): Outcome {
  const equal = values.areEqual(left, right, run);
  return equal === undefined ? tooManySteps() : equal === (operator === '==');
}

function unary(operator: '!' | '-', operand: Outcome): Outcome {
  if (operand instanceof Failure) return operand;
  if (operator === '!') return typeof operand === 'boolean' ? !operand : notBoolean('!', operand);
  return typeof operand === 'number' ? -operand : new Failure(`- needs a number, not ${kindNames[kindOf(operand)]}`);
}

function choose({ test, yes, no }: NodeOf<'choice'>, run: Evaluation): Outcome {
  const [decision, ifTrue, ifFalse] = [evaluate(test, run), evaluate(yes, run), evaluate(no, run)];
  if (decision instanceof Failure) return decision;
  if (typeof decision !== 'boolean') return notBoolean('? :', decision);
  return decision ? ifTrue : ifFalse;
}

function call({ name, values: given }: NodeOf<'call'>, run: Evaluation): Outcome {
  const found = given.map((value) => evaluate(value, run));
  return firstFailure(...found) ?? functions.get(name)?.apply(found, run);
}

/** Whether the name exists, even if its value is null. A value that cannot have names fails, as when the name is read. */
function has({ target }: NodeOf<'has'>, run: Evaluation): Outcome {
  if (target.kind !== 'field' && target.kind !== 'index') return new Failure('has needs a field');
  const of = evaluate(target.of, run);
  const name = target.kind === 'field' ? target.name : evaluate(target.index, run);
  const failure = firstFailure(of, name);
  if (failure) return failure;
  const item = target.kind === 'field' ? values.fieldOf(of, target.name) : values.itemOf(of, name);
  if (item instanceof Failure) return item;
  if (Array.isArray(of)) return Number(name) >= 0 && Number(name) < of.length;
  return values.isMap(of) && typeof name === 'string' && Object.hasOwn(of, name);
}

function runMacro(node: NodeOf<'macro'>, over: Outcome, run: Evaluation): Outcome {
  if (over instanceof Failure) return over;
  const elements = values.isMap(over) ? Object.keys(over) : over;
  if (!Array.isArray(elements))
    return new Failure(`${node.name} needs a list or a map, not ${kindNames[kindOf(over)]}`);
  if (elements.length > maxElements)
    return new Failure(
      `${node.name} accepts at most ${withCommas(maxElements)} elements, but got ${withCommas(elements.length)}`,
    );
  const outer = run.element;
  const outcome = runners[node.name](elements, (value: unknown) => {
    run.element = { name: node.variable, value };
    return evaluate(node.body, run);
  });
  run.element = outer;
  return outcome;
}

type Runner = (elements: readonly unknown[], body: (element: unknown) => Outcome) => Outcome;

/** A decisive element decides, even after others failed. */
const quantifier =
  (name: MacroName, decisive: boolean): Runner =>
  (elements, body) => {
    let failure: Failure | undefined;
    for (const element of elements) {
      const outcome = body(element ?? null);
      if (outcome === decisive) return decisive;
      if (outcome instanceof Failure) {
        if (outcome.exhausted) return outcome;
        failure ??= outcome;
      } else if (outcome !== !decisive) failure ??= notBoolean(name, outcome);
    }
    return failure ?? !decisive;
  };

const filter: Runner = (elements, body) => {
  const kept: unknown[] = [];
  for (const element of elements) {
    const outcome = body(element ?? null);
    if (outcome instanceof Failure) return outcome;
    if (typeof outcome !== 'boolean') return notBoolean('filter', outcome);
    if (outcome) kept.push(element ?? null);
  }
  return kept;
};

const map: Runner = (elements, body) => {
  const results: unknown[] = [];
  for (const element of elements) {
    const outcome = body(element ?? null);
    if (outcome instanceof Failure) return outcome;
    results.push(outcome);
  }
  return results;
};

const runners: Record<MacroName, Runner> = {
  all: quantifier('all', false),
  exists: quantifier('exists', true),
  filter,
  map,
};
