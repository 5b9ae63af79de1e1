/** Saves the parts as a file. */
export function saveFile(name: string, parts: readonly (string | Blob)[], type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
