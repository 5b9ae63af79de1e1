/** The parts of a process, which are ended in the opposite order of their start; also when a later one does not start. */

export interface StartedParts {
  /** How to end what has just been started. */
  push: (end: () => Promise<void>) => void;
  stop: () => Promise<void>;
}

export async function startParts<T>(start: (started: StartedParts) => Promise<T>): Promise<T> {
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    return await start({ push: (end) => void ends.push(end), stop });
  } catch (error) {
    await stop();
    throw error;
  }
}
