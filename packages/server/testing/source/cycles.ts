import type { Import } from './imports.ts';

/**
 * Import cycles, each reported once from the file where it was entered: `a -> b -> a`. A file is done once all its imports were
 * followed, so each import is visited once.
 */
export function cyclesIn(imports: readonly Import[]): string[] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (done.has(file) || path.includes(file)) return;
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return cycles;
}
