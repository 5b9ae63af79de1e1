/**
 * `node --conditions=source tools/print-breached-passwords.ts LIST`: packages/server/breached-passwords.bin, of a list of passwords that became
 * known, the most frequent first, one on each line. Of the long enough ones the first 20,000 are kept, in lower case, as the
 * first bytes of their SHA-256, in order. The committed file is of the million most frequent of ten million that Mark Burnett published in 2015.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fingerprintOf } from '../packages/server/src/breached-passwords.ts';
import { shortestPassword } from '../packages/server/src/passwords.ts';
import { fromRoot } from './printed-file.ts';

const most = 20_000;
const [, , list] = process.argv;
if (list === undefined) throw new Error('Name the file with the list.');
const words = readFileSync(list, 'utf8')
  .split('\n')
  .map((word) => word.trim().toLowerCase())
  .filter((word) => Array.from(word).length >= shortestPassword);
const kept = [...new Set(words)].slice(0, most).map(fingerprintOf);
writeFileSync(
  fromRoot('packages/server/breached-passwords.bin'),
  Buffer.concat(kept.toSorted((one, other) => one.compare(other))),
);
console.log(`${kept.length} of ${words.length} are kept.`);
