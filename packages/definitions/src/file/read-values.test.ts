/** Names of variables and queues in a callback follow the rules of labels, as objects and as text. */
import { describe, expect, it } from 'vitest';
import { readDefinitionFile } from './read-definition-file.ts';

/** The file is JSON, which is valid YAML. */
const faultsOf = (callback: object) => {
  const states = [{ label: 'a', callbacks: [{ label: 'c', ...callback }] }];
  return readDefinitionFile(JSON.stringify({ label: 'w', states }), '/workflow_definition').faults;
};

const long = 'x'.repeat(256);

describe('variable_map', () => {
  it.each([[''], [long], ['with\nlines'], ['.']])('rejects the name %j in an object and in text', (name) => {
    const map = { [name]: '/body' };
    expect(faultsOf({ function: 'fastr', variable_map: map })).toHaveLength(1);
    const [fault, ...others] = faultsOf({ function: 'fastr', variable_map: JSON.stringify(map) });
    expect(others).toEqual([]);
    expect(fault?.detail).toContain('The name of a variable must');
  });

  it('accepts a name of 255 characters', () => {
    const map = { [long.slice(1)]: '/body', 'a b': '/c' };
    expect([map, JSON.stringify(map)].flatMap((one) => faultsOf({ function: 'fastr', variable_map: one }))).toEqual([]);
  });
});

const withQueue = (queue: unknown, name = 'worker') => ({ function: name, callback_arguments: { queue } });

describe('the queue name of a worker', () => {
  it.each([[''], [long], [7], [null], ['a\nb'], ['{{experiment.label}}'], ['x{{y'], ['$XNAT']])(
    'cannot be %j',
    (queue) => {
      const [fault, ...others] = faultsOf(withQueue(queue));
      expect(others).toEqual([]);
      expect(fault?.detail).toContain('The name of a queue');
    },
  );

  it('can be any label, is optional, and is not checked for other functions', () => {
    expect(faultsOf(withQueue('segmentation, of brains: 1 $'))).toEqual([]);
    expect(faultsOf(withQueue(long.slice(1)))).toEqual([]);
    expect(faultsOf(withQueue('{{experiment.label}}', 'fastr'))).toEqual([]);
    expect(faultsOf({ function: 'fastr' })).toEqual([]);
  });
});
