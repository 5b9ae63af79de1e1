/** Reads the condition of a callback or a transition of a definition file: checked, and in CEL whatever it was written in. */
import type { Entry } from './definition-entries.ts';
import type { Findings } from './definition-findings.ts';

interface ConditionOptions {
  kind: 'transition' | 'callback';
  /** Of the state that the transition leaves. */
  callbackLabels?: readonly string[];
}

const longest = 1000;

export function readConditionOf(findings: Findings, { pointer, value }: Entry, _options: ConditionOptions): string {
  const given = value['condition'];
  const text = typeof given === 'boolean' ? String(given) : typeof given === 'string' ? given : '';
  if (text.length > longest) {
    const detail = `${pointer}/condition must have at most ${longest} characters.`;
    findings.faults.push({ pointer: `${pointer}/condition`, detail });
  }
  return text.trim();
}
