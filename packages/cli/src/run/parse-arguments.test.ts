import { describe, expect, it } from 'vitest';
import { yesOption } from '../contexts/prompt.ts';
import { listOptions } from '../output/print.ts';
import { defineCommand } from './command.ts';
import { parseArguments } from './parse-arguments.ts';

const command = defineCommand({
  path: 'experiment test',
  summary: 'test',
  args: [{ name: 'words', about: 'the words', repeated: true }],
  options: { reason: { takes: 'TEXT', about: 'the reason' }, ...yesOption, ...listOptions },
  examples: [],
  run: () => undefined,
});

const read = (...tokens: string[]) => {
  const { args, values } = parseArguments(command, tokens);
  const { reason, yes, output } = values;
  return { words: args['words'], reason, yes, output };
};

const nothing = { words: [], reason: undefined, yes: false, output: undefined };

describe('parseArguments', () => {
  it.each([
    [['-state:done cohort:memory-clinic'], { words: ['-state:done cohort:memory-clinic'] }],
    [['-overdue:yes', '-y'], { words: ['-overdue:yes'], yes: true }],
    [['E', 'shift', '-3'], { words: ['E', 'shift', '-3'] }],
    [['a', '-o', 'json', '-', 'b'], { words: ['a', '-', 'b'], output: 'json' }],
    [['a', '-yo', 'json'], { words: ['a'], yes: true, output: 'json' }],
    [['a', '-yojson'], { words: ['a'], yes: true, output: 'json' }],
    [['--reason', '-3 mm', 'a'], { words: ['a'], reason: '-3 mm' }],
    [['a', '--reason', ''], { words: ['a'], reason: '' }],
    [['a', '--', '-y', '--reason'], { words: ['a', '-y', '--reason'] }],
  ])('reads %j', (tokens, expected) => {
    expect(read(...tokens)).toEqual({ ...nothing, ...expected });
  });

  it.each([['--reason', '-y'], ['--reason', '--yes'], ['--reason', '--', 'a'], ['--reason'], ['-yo', '-y']])(
    'rejects an option without its value: %s %s',
    (...tokens) => {
      expect(() => read(...tokens)).toThrow(`${tokens[0]} needs a value.`);
    },
  );

  it('suggests the nearest option', () => {
    expect(() => read('--raeson=x')).toThrow('has no option --raeson. Did you mean --reason?');
  });
});
