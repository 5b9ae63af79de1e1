/** Moves labels apart so that they do not overlap, and keeps their order and as much of their places as possible. */
interface Bounds {
  gap: number;
  from: number;
  to: number;
}

/** `wanted` is in ascending order. If there is not enough room, the gaps become smaller. */
export function spreadLabels(wanted: readonly number[], { gap: full, from, to }: Bounds): number[] {
  const gap = wanted.length < 2 ? full : Math.min(full, (to - from) / (wanted.length - 1));
  const downwards: number[] = [];
  for (const [index, place] of wanted.entries())
    downwards.push(Math.max(place, index === 0 ? from : (downwards[index - 1] ?? from) + gap));
  const upwards: number[] = [];
  for (const [index, place] of downwards.toReversed().entries())
    upwards.push(Math.min(place, index === 0 ? to : (upwards[index - 1] ?? to) - gap));
  return upwards.toReversed();
}
