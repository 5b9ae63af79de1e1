import { readDefinitionFile, type Definition } from '@milepost/definitions';
import { describe, expect, it } from 'vitest';
import { wholeWorkflow } from '../../../../definitions/testing/whole-workflow.ts';
import { hashDefinition } from './hash-definition.ts';

const hashOf = (text: string) => {
  const { definition, faults } = readDefinitionFile(text, '/workflow_definition');
  expect(faults).toEqual([]);
  return hashDefinition(definition as Definition);
};

/** As it was stored before callbacks had `retry_for` and `retry_first`. */
const storedHash = '12f23b4223ce9ff625881a537c8c2e9b878ba5f1a917ece58da9c5e84b99bbb5';
const withRetry = (retry: string) =>
  wholeWorkflow('kept').replace('initial_delay: 5', `initial_delay: 5\n        ${retry}`);

describe('hashDefinition', () => {
  it('returns the stored hash for a definition from before `retry_for` and `retry_first`', () => {
    expect(hashOf(wholeWorkflow('kept'))).toBe(storedHash);
  });

  it.each(['retry_for: 45', 'retry_first: 5'])('returns the same hash if the file sets the default %s', (retry) => {
    expect(hashOf(withRetry(retry))).toBe(storedHash);
  });

  it.each(['title: Arrived', 'colour: "#0f766e"', 'outcome: good', 'decision: {}'])(
    'returns a different hash if a state has %s',
    (field) => {
      const text = wholeWorkflow('kept').replace('freetext: Scans are in', `$&\n    ${field}`);
      expect(hashOf(text)).not.toBe(storedHash);
      expect(hashOf(text.replace(field, field.replace(/: .*/, ':')))).toBe(storedHash);
    },
  );

  it('returns a different hash for each other value', () => {
    const hashes = ['retry_for: 0', 'retry_for: 60', 'retry_first: 60'].map((retry) => hashOf(withRetry(retry)));
    expect(new Set([storedHash, ...hashes]).size).toBe(4);
  });
});
