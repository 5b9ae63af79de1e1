/** Writes small programs to a temporary folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function createPrograms() {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-programs-'));
  const names = new Map<string, string>();
  const write = (name: string, text: string, mode: number, extension = ''): string => {
    const path = join(folder, `${name}${extension}`);
    writeFileSync(path, text, { mode });
    names.set(name, path);
    return path;
  };
  return {
    folder,
    /** The path of each program by name, as in the operator's setting. */
    names,
    shell: (name: string, lines: string) => write(name, `#!/bin/sh\n${lines}\n`, 0o755),
    /** The extension makes it CommonJS, even if a folder above has a package.json of type `module`. */
    node: (name: string, lines: string) => write(name, `#!${process.execPath}\n${lines}\n`, 0o755, '.cjs'),
    /** A file that is not executable. */
    file: (name: string, text: string) => write(name, text, 0o644),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
