import { MantineProvider } from '@mantine/core';
import { ProblemError } from '@milepost/api';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ProblemNote } from './problem-note.tsx';

const errorAt = (pointer: string) =>
  new ProblemError(
    { status: 400, statusText: 'Bad Request', headers: new Headers() },
    {
      title: 'Invalid request',
      detail: 'No state with id 9.',
      code: 'invalid_request',
      errors: [{ pointer, detail: 'No state with id 9.' }],
      request_id: 'r-7',
    },
  );

const nothing = () => undefined;
const shown = (error: unknown) =>
  renderToStaticMarkup(
    createElement(
      MantineProvider,
      null,
      createElement(ProblemNote, { error, onRetry: nothing, onClearFilters: nothing }),
    ),
  );

describe('ProblemNote', () => {
  it('offers to clear the filters if a filter names an object that does not exist', () => {
    const text = shown(errorAt('?state_id'));
    expect(text).toContain('Invalid filter');
    expect(text).toContain('No state with id 9.');
    expect(text).toContain('Clear filters');
    expect(text).not.toContain('Try again');
  });

  it('offers to try again after other errors', () => {
    const text = shown(errorAt('/label'));
    expect(text).toContain('Try again');
    expect(text).not.toContain('Clear filters');
  });
});
