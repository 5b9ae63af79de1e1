/** Reads and checks the condition of a callback or transition in a workflow file. Returns it in CEL. */
import type { Entry } from './entries.ts';
import { hasEnough, type Findings } from './findings.ts';
import { readCondition, type ConditionPlace } from '../conditions/read-condition.ts';
import { variableReadsOf } from '../conditions/variable-reads.ts';

export function readConditionOf(findings: Findings, { pointer, value }: Entry, place: ConditionPlace): string {
  if (hasEnough(findings)) return '';
  const given = value['condition'];
  // YAML reads a bare true or false as a boolean.
  const text = typeof given === 'boolean' ? String(given) : typeof given === 'string' ? given : '';
  const { condition, faults } = readCondition(text, { ...place, isNew: true });
  for (const { offset, detail } of faults) {
    findings.faults.push({
      code: 'invalid_condition',
      pointer: `${pointer}/condition`,
      detail,
      offset,
    });
  }
  for (const { name, offset } of variableReadsOf(condition))
    findings.reads?.push({ name, offset, pointer: `${pointer}/condition` });
  // Not empty for a condition with faults, so that the transition does not count as one that can always be taken.
  return condition?.cel ?? text;
}
