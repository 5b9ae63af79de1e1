import { describe, expect, it } from 'vitest';
import { prettyJson } from './pretty-json.ts';

describe('JSON for people', () => {
  it('is indented, from a value or from its text', () => {
    const pretty = '{\n  "url": "https://xnat.example.org"\n}';
    expect(prettyJson({ url: 'https://xnat.example.org' })).toBe(pretty);
    expect(prettyJson('{"url":"https://xnat.example.org"}')).toBe(pretty);
  });

  it('is the text itself where that is none', () => {
    expect(prettyJson('{{not json}}')).toBe('{{not json}}');
  });
});
