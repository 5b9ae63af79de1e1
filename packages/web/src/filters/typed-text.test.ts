import { describe, expect, it } from 'vitest';
import { followUrl } from './typed-text.ts';

describe('followUrl', () => {
  it('keeps what the user typed while the URL changed to the text sent before', () => {
    expect(followUrl({ text: 'MC-00 ', inUrl: '', sent: 'MC' }, 'MC')).toEqual({ text: 'MC-00 ', inUrl: 'MC' });
  });

  it('keeps the text while the URL has not changed', () => {
    const typed = { text: 'MC', inUrl: '', sent: 'MC' };
    expect(followUrl(typed, '')).toBe(typed);
  });

  it('takes the text of another URL, even if it was sent before', () => {
    const sent = followUrl({ text: 'MC', inUrl: '', sent: 'MC' }, 'MC');
    const back = followUrl(sent, '');
    expect(back).toEqual({ text: '', inUrl: '' });
    expect(followUrl(back, 'MC')).toEqual({ text: 'MC', inUrl: 'MC' });
  });
});
