import { expect, it } from 'vitest';
import { fileName } from './file-name.ts';

it('has the label, the revision and the format of the file', () => {
  expect(fileName('brain_mri', 3, 'label: brain_mri\n')).toBe('brain_mri-3.yaml');
  expect(fileName('brain_mri', 3, ' {"label": "brain_mri"}')).toBe('brain_mri-3.json');
});

it('has no characters that file systems reject', () => {
  expect(fileName('../T1: "größer"/T2', 1, '')).toBe('..-T1-größer-T2-1.yaml');
});
