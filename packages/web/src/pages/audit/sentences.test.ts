import { changeNames, kindOfChange } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { entryOf, sampleNames, samples } from './sample-entries.ts';
import { namesById, textOf } from './sentence.ts';
import { sentenceOf, sentences } from './sentences.ts';

const names = namesById(sampleNames);

describe('the sentences of the audit log', () => {
  it('cover every change of the table of operations and of the engine', () => {
    expect(changeNames.filter((change) => sentences[change] === undefined)).toEqual([]);
    expect(Object.keys(sentences).filter((change) => !changeNames.includes(change))).toEqual([]);
  });

  it('are all tested with an entry', () => {
    const tested = new Set(samples.map(({ operation }) => operation));
    expect(changeNames.filter((change) => !tested.has(change))).toEqual([]);
  });

  it.each(samples.map((sample) => [sample.operation, sample.sentence, sample] as const))(
    '%s: %s',
    (_operation, sentence, sample) => {
      expect(textOf(sentenceOf(entryOf(sample), names))).toBe(sentence);
    },
  );

  it('read without the names of objects that the user cannot read', () => {
    for (const sample of samples) {
      const text = textOf(sentenceOf(entryOf({ ...sample, before: null, after: null, erased: true }), namesById([])));
      expect(text).toMatch(/^[A-Z]/);
      expect(text).not.toMatch(/undefined|null|NaN|\[object/);
    }
  });

  it('name the operation of an entry that an earlier version wrote', () => {
    const entry = entryOf({ operation: 'mergeSubjects', kind: 'subject', label: 'MC-0102', sentence: '' });
    expect(textOf(sentenceOf(entry, names))).toBe('Changed MC-0102 (mergeSubjects)');
  });
});

describe('the kinds of changes', () => {
  it('cover every change of the table of operations and of the engine', () => {
    expect(changeNames.filter((change) => kindOfChange[change] === undefined)).toEqual([]);
    expect(Object.keys(kindOfChange).filter((change) => !changeNames.includes(change))).toEqual([]);
  });
});
