/** The name of a downloaded file. Characters that file systems reject become hyphens. */
export const fileName = (label: string, revision: number, text: string): string =>
  `${label.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}-${revision}.${text.trimStart().startsWith('{') ? 'json' : 'yaml'}`;
