import { expect, it } from 'vitest';
import { paceText } from './pace-text.ts';

it.each([
  [null, 48.46, 150, '48.5 a second, about 2 min left'],
  [null, 1240, 0, '1,240 a second, < 1 s left'],
  [null, null, null, 'Starting…'],
  ['The workflow is being imported.', null, null, 'Waiting. The workflow is being imported.'],
])(
  'waiting for %s, a pace of %s with %s seconds left is shown as %s',
  (waiting_for, per_second, seconds_left, text) => {
    expect(paceText({ waiting_for, per_second, seconds_left })).toBe(text);
  },
);
