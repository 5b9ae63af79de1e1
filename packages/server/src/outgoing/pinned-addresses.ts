/** A name is resolved once for a request; what came of it is where the connection goes, whatever the name says later. */
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isNoHost } from './no-host.ts';
import { OutgoingFailed } from './outgoing-errors.ts';

/** The addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** As the operator's machine resolves names, its hosts file included. */
export const resolveName: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

/** An address that the operator wrote down stands for itself and is not looked up. */
export async function addressesOf(
  host: string,
  resolve: Resolve,
  withinMs: number,
  stop: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const late = AbortSignal.timeout(withinMs);
  const addresses = await Promise.race([resolve(host), rejectedBy(stop), noneWhen(late)]);
  if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0)) {
    throw new OutgoingFailed(`The name ${host} has no address${late.aborted ? ' that was found in time' : ''}.`);
  }
  const astray = addresses.find(isNoHost);
  if (astray !== undefined) throw new OutgoingFailed(`The name ${host} leads to ${astray}, where no server is.`);
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

/** Whatever is asked for, these are the addresses: between the check and the connection no name is resolved again. */
export const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
