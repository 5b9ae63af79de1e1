/** The server did not respond. */
export class Unreachable extends Error {}

/** Replaces the TypeError that fetch throws without a response, which looks like a bug of the page. */
export const detectUnreachable =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      throw error instanceof TypeError ? new Unreachable(error.message, { cause: error }) : error;
    }
  };
