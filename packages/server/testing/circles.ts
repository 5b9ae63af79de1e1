import type { Import } from './imports.ts';

/**
 * Files that lead back to themselves, each circle once and written from where it was entered: `a -> b -> a`. A file is
 * left for good once everything it leads to was seen, so the search looks at each import once.
 */
export function circlesIn(imports: readonly Import[]): string[] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (done.has(file) || path.includes(file)) return;
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return circles;
}
