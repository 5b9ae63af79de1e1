/**
 * Warns about loops in which experiments can move without end: each state has callbacks, the engine takes each transition, and no
 * state delays them.
 */
import { shortened } from '@milepost/api';
import type { DefinitionCallback } from './definition.ts';
import type { ReadState } from './entries.ts';
import type { WarningCode } from './finding-codes.ts';
import type { Finding } from './findings.ts';

const maxLoops = 20;
const maxNamed = 10;

export function endlessLoops(states: readonly ReadState[]): Finding<WarningCode>[] {
  const next = new Map(states.filter(isQuick).map((state) => [state.label, destinationsOf(state)]));
  removeEnds(next);
  const reported = new Set<string>();
  let loops = 0;
  return states.flatMap(({ label, pointer }) => {
    if (reported.has(label) || !next.has(label) || loops === maxLoops) return [];
    const loop = loopFrom(label, next);
    for (const one of loop ?? []) reported.add(one);
    if (loop) loops += 1;
    return loop ? [{ code: 'endless_loop', pointer, detail: describe(loop) }] : [];
  });
}

const isQuick = ({ callbacks }: ReadState) => callbacks.length > 0 && !callbacks.some(delays);

const delays = (callback: DefinitionCallback) =>
  callback.initial_delay > 0 ||
  callback.wait_timeout > 0 ||
  callback.function === 'sleep' ||
  callback.function === 'wait';

const destinationsOf = ({ transitions }: ReadState) =>
  transitions.filter(({ by }) => by !== 'person').map(({ destination }) => destination);

/** Removes states that lead to no other state in the map, until only loops and what leads to them is left. */
function removeEnds(next: Map<string, string[]>): void {
  for (let before = -1; before !== next.size;) {
    before = next.size;
    for (const [label, destinations] of next) if (!destinations.some((one) => next.has(one))) next.delete(label);
  }
}

/** The shortest loop through a state. */
function loopFrom(start: string, next: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const waiting = [start];
  for (const label of waiting) {
    for (const destination of next.get(label) ?? []) {
      if (destination === start) return pathTo(label, start, cameFrom);
      if (!next.has(destination) || cameFrom.has(destination)) continue;
      cameFrom.set(destination, label);
      waiting.push(destination);
    }
  }
  return undefined;
}

function pathTo(last: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [last];
  for (let label = last; label !== start;) {
    label = cameFrom.get(label) ?? start;
    path.unshift(label);
  }
  return path;
}

function describe(loop: readonly string[]): string {
  const [first = '', ...others] = loop;
  const shown = [first, ...others.slice(0, maxNamed), ...(others.length > maxNamed ? ['…'] : []), first];
  return (
    `Experiments can move in a loop (${shown.map((label) => shortened(label)).join(' -> ')}) without a user or a delay. ` +
    'Add an initial_delay to a callback, or "by: person" to a transition.'
  );
}
