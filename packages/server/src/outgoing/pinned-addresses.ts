/** Resolves a name once per request. The connection uses that result, even if the name changes in the meantime. */
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isBlockedAddress } from './blocked-addresses.ts';
import { OutgoingFailed } from './outgoing-errors.ts';

export type Resolve = (name: string) => Promise<readonly string[]>;

/** Uses the resolver of the machine, including its hosts file. */
export const resolveName: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

/** An IP address is not looked up. */
export async function addressesOf(
  host: string,
  resolve: Resolve,
  withinMs: number,
  stop: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const timeout = AbortSignal.timeout(withinMs);
  const addresses = await Promise.race([resolve(host), rejectedBy(stop), noneWhen(timeout)]);
  if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0)) {
    throw new OutgoingFailed(
      timeout.aborted ? `Resolving the name ${host} timed out.` : `The name ${host} has no address.`,
    );
  }
  const blocked = addresses.find(isBlockedAddress);
  if (blocked !== undefined) throw new OutgoingFailed(`The name ${host} resolves to the blocked address ${blocked}.`);
  return addresses;
}

const rejectedBy = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    whenAborted(signal, () => reject(signal.reason as Error));
  });

const noneWhen = (signal: AbortSignal) => new Promise<[]>((resolve) => whenAborted(signal, () => resolve([])));

function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

/** Always returns these addresses, so that no name is resolved again between the check and the connection. */
export const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
