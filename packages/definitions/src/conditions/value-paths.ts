/**
 * Finds the values that a condition can read, so that nothing else has to be loaded to evaluate it. A computed index ends a path:
 * everything below is needed.
 */
import { partsOf, type Condition, type ConditionNode } from './syntax.ts';

/** Names in maps and indices in lists. The empty path is the whole value. */
export type ValuePath = readonly (string | number)[];

export interface ValueRead {
  /** Undefined if the label is computed: the path can be read from every callback. */
  callback: string | undefined;
  /** Inside `result_values`. */
  path: ValuePath;
}

/** A condition that cannot be read reads nothing. */
export function valueReadsOf(condition: Condition | undefined): readonly ValueRead[] {
  const reads: ValueRead[] = [];
  if (condition?.ast) collect(condition.ast, undefined, reads);
  return reads;
}

/** The fields that need tables of their own. */
export type ObjectField = 'experiment.variables' | 'experiment.external_ids' | 'subject.external_ids';

const objectFields: readonly ObjectField[] = [
  'experiment.variables',
  'experiment.external_ids',
  'subject.external_ids',
];

/** Those of them that the condition names. */
export function fieldReadsOf(condition: Condition | undefined): ReadonlySet<ObjectField> {
  const named = new Set(condition?.ast ? namesIn(condition.ast) : []);
  return new Set(objectFields.filter((field) => named.has(field) || named.has(field.split('.', 1)[0] ?? '')));
}

/** `experiment.variables` as such, and `experiment` alone for any other use of that name. */
function namesIn(node: ConditionNode): string[] {
  if (node.kind === 'name') return [node.name];
  if (node.kind === 'field' && node.of.kind === 'name') return [`${node.of.name}.${node.name}`];
  return partsOf(node).flatMap(namesIn);
}

function collect(node: ConditionNode, parent: ConditionNode | undefined, reads: ValueRead[]): void {
  const steps = stepsOf(node);
  if (!steps) {
    for (const part of partsOf(node)) collect(part, node, reads);
    return;
  }
  for (const step of steps) if (typeof step === 'object') collect(step, undefined, reads);
  if (!needsOnlyNames(node, steps.length, parent)) reads.push(...readOf(steps));
}

/** A computed index is its own node. */
type Step = string | number | ConditionNode;

/** The fields and indices after `callbacks`. Undefined if the node is not such a path. */
function stepsOf(node: ConditionNode): Step[] | undefined {
  if (node.kind === 'name') return node.name === 'callbacks' ? [] : undefined;
  if (node.kind !== 'field' && node.kind !== 'index') return undefined;
  const before = stepsOf(node.of);
  return before && [...before, node.kind === 'field' ? node.name : indexOf(node.index)];
}

const indexOf = (index: ConditionNode): Step =>
  index.kind === 'literal' && (typeof index.value === 'number' || typeof index.value === 'string')
    ? index.value
    : index;

/** `callbacks.all(c, ...)`, `'x' in callbacks` and `size(callbacks)` read only labels, and so does `has(callbacks.x)`. */
function needsOnlyNames(node: ConditionNode, steps: number, parent: ConditionNode | undefined): boolean {
  if (steps > 1 || parent === undefined) return false;
  if (parent.kind === 'has') return true;
  if (steps === 1) return false;
  if (parent.kind === 'binary') return parent.operator === 'in' && parent.right === node;
  return parent.kind === 'macro' ? parent.over === node : parent.kind === 'call' && parent.name === 'size';
}

function readOf([label, field, ...inside]: readonly Step[]): ValueRead[] {
  const callback = typeof label === 'string' ? label : undefined;
  if (field === 'status' || field === 'result') return [];
  const end = field === 'result_values' ? inside.findIndex((step) => !isFixed(step)) : 0;
  return [{ callback, path: (end < 0 ? inside : inside.slice(0, end)).filter(isFixed) }];
}

/** PostgreSQL cannot look for a name with NUL or a lone surrogate, and no stored value has such a name. */
const isFixed = (step: Step): step is string | number =>
  typeof step === 'number' || (typeof step === 'string' && step.isWellFormed() && !step.includes('\0'));
