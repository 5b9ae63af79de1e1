/**
 * Explains why a condition does not hold: the value of every part that is read or compared, in text order, and one sentence about
 * the decisive part.
 */
import { evaluate, type Evaluation } from './evaluation.ts';
import { isComparison, partsOf, type ConditionNode, type NodeOf } from './syntax.ts';
import { Failure, type Outcome } from './values.ts';
import { describeValue, shortened, type Json } from './shortening.ts';

export interface ConditionPart {
  /** In CEL. */
  text: string;
  /** Shortened if it is long. Null if there is an error. */
  value: Json;
  /** Why it has no value. */
  error?: string;
}

/** Each comparison, call and path once, with outer parts before inner ones. */
export function evaluatedParts(ast: ConditionNode, run: Evaluation): ConditionPart[] {
  const found = new Map<string, ConditionPart>();
  const collect = (node: ConditionNode, variable?: string) => {
    const bound = variable !== undefined && reads(node, variable);
    if (isShown(node) && !bound && !found.has(node.text)) found.set(node.text, partFrom(node, outcomeOf(node, run)));
    if (isPath(node) && !bound) return collectIndices(node, (index) => collect(index, variable));
    for (const part of partsOf(node)) collect(part, part === bodyOf(node) ? variableOf(node) : variable);
  };
  collect(ast);
  return [...found.values()];
}

/** Outcomes inside macros are not recorded, but parts that do not depend on the variable can be evaluated now. */
const outcomeOf = (node: ConditionNode, run: Evaluation): Outcome =>
  run.outcomes.has(node) ? run.outcomes.get(node) : evaluate(node, run);

const bodyOf = (node: ConditionNode) => (node.kind === 'macro' ? node.body : undefined);
const variableOf = (node: ConditionNode) => (node.kind === 'macro' ? node.variable : undefined);

function partFrom({ text }: ConditionNode, outcome: Outcome): ConditionPart {
  return outcome instanceof Failure
    ? { text, value: null, error: `${outcome.detail}.` }
    : { text, value: shortened(outcome) };
}

const isShown = (node: ConditionNode): boolean =>
  isPath(node) ||
  node.kind === 'call' ||
  node.kind === 'has' ||
  node.kind === 'macro' ||
  (node.kind === 'binary' && isComparison(node.operator));

/** A name with fields and indices. */
const isPath = (node: ConditionNode): boolean =>
  node.kind === 'name' || ((node.kind === 'field' || node.kind === 'index') && isPath(node.of));

const reads = (node: ConditionNode, name: string): boolean =>
  (node.kind === 'name' && node.name === name) || partsOf(node).some((part) => reads(part, name));

/** The brackets of a path can contain other paths. */
function collectIndices(node: ConditionNode, collect: (index: ConditionNode) => void): void {
  if (node.kind === 'index' || node.kind === 'field') collectIndices(node.of, collect);
  if (node.kind === 'index') collect(node.index);
}

const maxReasonLength = 600;

export function reasonFor(ast: ConditionNode, outcome: Outcome, run: Evaluation): string {
  if (outcome === true) return 'The condition holds.';
  const reason = outcome === false ? whyNot(ast, run) : whyUndecided(outcome);
  return reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)}…` : `${reason}.`;
}

function whyUndecided(outcome: Outcome): string {
  if (!(outcome instanceof Failure))
    return `The condition gives ${describeValue(outcome)}, which is neither true nor false`;
  return `${outcome.where?.text ?? 'The condition'} cannot be evaluated: ${outcome.detail}`;
}

/** Why a part is false. */
function whyNot(node: ConditionNode, run: Evaluation): string {
  if (node.kind === 'literal') return `${node.text} never holds`;
  if (isPath(node)) return `${node.text} is false`;
  if (node.kind === 'binary') return whyNotBinary(node, run);
  if (node.kind === 'has') return `${node.target.text} is missing`;
  if (node.kind === 'unary') return whyNotUnary(node, run);
  if (node.kind === 'choice') {
    const decision = run.outcomes.get(node.test);
    return `${node.test.text} is ${describeValue(decision)}, and ${whyNot(decision === true ? node.yes : node.no, run)}`;
  }
  return `${node.text} does not hold${facts(node, run)}`;
}

const whyNotUnary = (node: NodeOf<'unary'>, run: Evaluation) =>
  isPath(node.operand) ? `${node.operand.text} is true` : `${node.operand.text} holds, but must not${facts(node, run)}`;

function whyNotBinary(node: NodeOf<'binary'>, run: Evaluation): string {
  const { operator, left, right } = node;
  if (operator === '&&') return whyNot(run.outcomes.get(left) === false ? left : right, run);
  const demanded = operator === '||' ? demandedByAny(node) : demandedBy(node);
  if (demanded) {
    const { path, text, isNegated } = demanded;
    return `${path.text} is ${describeValue(run.outcomes.get(path))}, but must ${isNegated ? 'not be' : 'be'} ${text}`;
  }
  return `${node.text} does not hold${facts(node, run)}`;
}

interface Demanded {
  path: ConditionNode;
  /** After `must be`, or after `must not be` if it is negated. */
  text: string;
  isNegated: boolean;
}

/** Undefined if the part is not a comparison of a path with a fixed value. */
function demandedBy({ operator, left, right }: NodeOf<'binary'>): Demanded | undefined {
  if (!isComparison(operator) || !isPath(left) || pathsIn(right).length > 0) return undefined;
  const isEquality = operator === '==' || operator === '!=';
  return { path: left, text: isEquality ? right.text : `${operator} ${right.text}`, isNegated: operator === '!=' };
}

/** None of the values is required by itself, so there is no demand unless all are of the same path. */
function demandedByAny(node: NodeOf<'binary'>): Demanded | undefined {
  const all = alternativesOf(node).map((one) => (one.kind === 'binary' ? demandedBy(one) : undefined));
  const known = all.filter((one) => one !== undefined);
  const [first] = known;
  if (!first || known.length < all.length || known.some(({ path }) => path.text !== first.path.text)) return undefined;
  const values = known.map(({ text, isNegated }) => (isNegated ? `not ${text}` : text));
  return { path: first.path, text: `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`, isNegated: false };
}

const alternativesOf = (node: ConditionNode): readonly ConditionNode[] =>
  node.kind === 'binary' && node.operator === '||' ? [node.left, node.right].flatMap(alternativesOf) : [node];

const maxFacts = 3;

/** `: a is 1, b is 2`, or nothing. */
function facts(node: ConditionNode, run: Evaluation): string {
  const known = pathsIn(node).filter((path) => run.outcomes.has(path) && !(run.outcomes.get(path) instanceof Failure));
  const values = new Set(known.map((path) => `${path.text} is ${describeValue(run.outcomes.get(path))}`));
  return values.size === 0 ? '' : `: ${[...values].slice(0, maxFacts).join(', ')}`;
}

const pathsIn = (node: ConditionNode): readonly ConditionNode[] =>
  isPath(node) ? [node] : partsOf(node).flatMap((part) => pathsIn(part));
