/** The parts of a process, stopped in reverse order of their start, also if a later part fails to start. */

export interface StartedParts {
  /** Registers how to stop the part that was just started. */
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
