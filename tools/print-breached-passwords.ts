/**
 * `node --conditions=source tools/print-breached-passwords.ts LIST`: prints packages/server/breached-passwords.bin
 * from a list of leaked passwords, one per line, the most frequent first. It keeps the first 20,000 that are long enough, in lower
 * case, as the first bytes of their SHA-256, sorted. The committed file comes from the list of the most frequent million that Mark
 * Burnett published in 2015.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fingerprintOf } from '../packages/server/src/breached-passwords.ts';
import { shortestPassword } from '../packages/server/src/passwords.ts';
import { fromRoot } from './printed-file.ts';

const most = 20_000;
const [, , list] = process.argv;
if (list === undefined) throw new Error('Usage: print-breached-passwords.ts LIST');
const words = readFileSync(list, 'utf8')
  .split('\n')
  .map((word) => word.trim().toLowerCase())
  .filter((word) => Array.from(word).length >= shortestPassword);
const kept = [...new Set(words)].slice(0, most).map(fingerprintOf);
writeFileSync(
  fromRoot('packages/server/breached-passwords.bin'),
  Buffer.concat(kept.toSorted((one, other) => one.compare(other))),
);
console.log(`${kept.length} of ${words.length} passwords kept.`);
