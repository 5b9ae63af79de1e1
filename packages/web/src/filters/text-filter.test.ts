import { describe, expect, it } from 'vitest';
import { followUrl } from './text-filter.tsx';

describe('followUrl', () => {
  it('keeps the typed text when the URL changes to the text that the filter sent', () => {
    expect(followUrl({ text: 'MC-00 ', inUrl: '', sent: 'MC' }, 'MC')).toEqual({ text: 'MC-00 ', inUrl: 'MC' });
  });

  it('keeps the typed text if the URL has not changed', () => {
    const typed = { text: 'MC', inUrl: '', sent: 'MC' };
    expect(followUrl(typed, '')).toBe(typed);
  });

  it('replaces the text when the user goes back, and again when the user goes forward', () => {
    const sent = followUrl({ text: 'MC', inUrl: '', sent: 'MC' }, 'MC');
    const back = followUrl(sent, '');
    expect(back).toEqual({ text: '', inUrl: '' });
    expect(followUrl(back, 'MC')).toEqual({ text: 'MC', inUrl: 'MC' });
  });
});
