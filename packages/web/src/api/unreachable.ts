/** There was no answer at all: fetch throws a TypeError then, as a fault of a page would be one. */
export class Unreachable extends Error {}

/** The same fetch, which tells that apart. */
export const reaching =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      throw error instanceof TypeError ? new Unreachable(error.message, { cause: error }) : error;
    }
  };
