import { describe, expect, it } from 'vitest';
import { followAddress } from './typed-text.ts';

describe('a typed text', () => {
  it('keeps what was typed while the address took over what came before', () => {
    expect(followAddress({ text: 'MC-00 ', given: '', sent: 'MC' }, 'MC')).toEqual({ text: 'MC-00 ', given: 'MC' });
  });

  it('stays while the address has not changed yet', () => {
    const typed = { text: 'MC', given: '', sent: 'MC' };
    expect(followAddress(typed, '')).toBe(typed);
  });

  it('is replaced by the text of another address, also by one that was written from here before', () => {
    const sent = followAddress({ text: 'MC', given: '', sent: 'MC' }, 'MC');
    const back = followAddress(sent, '');
    expect(back).toEqual({ text: '', given: '' });
    expect(followAddress(back, 'MC')).toEqual({ text: 'MC', given: 'MC' });
  });
});
