/** The variables that a condition reads by name, with their offsets in the text as written. */
import { partsOf, type Condition, type ConditionNode } from './syntax.ts';

export interface VariableRead {
  name: string;
  offset: number;
}

export const variableReadsOf = (condition: Condition | undefined): VariableRead[] =>
  condition?.ast ? readsIn(condition.ast) : [];

function readsIn(node: ConditionNode): VariableRead[] {
  const name = nameOf(node);
  if (name !== undefined) return [{ name, offset: node.at }];
  return partsOf(node).flatMap(readsIn);
}

/** Of `experiment.variables.x` or `experiment.variables['x']`. */
function nameOf(node: ConditionNode): string | undefined {
  if (node.kind === 'field' && isVariables(node.of)) return node.name;
  if (node.kind !== 'index' || !isVariables(node.of) || node.index.kind !== 'literal') return undefined;
  return typeof node.index.value === 'string' ? node.index.value : undefined;
}

const isVariables = (node: ConditionNode) =>
  node.kind === 'field' && node.name === 'variables' && node.of.kind === 'name' && node.of.name === 'experiment';
