/** Checks everything that the specification says about one operation. */
import { change, exchange, startCheck, type Check } from './check.ts';
import { checkMasks } from './check-masks.ts';
import { checkRequests } from './check-requests.ts';
import { placesOf } from './compare.ts';
import type { Deviation } from './deviations.ts';
import type { Call, Operation } from './operation.ts';
import type { Study } from './study.ts';

export async function checkOperation(operation: Operation, study: Study): Promise<Deviation[]> {
  const check = startCheck(operation, study);
  const { calls = [] } = operation;
  await checkCall(check, { status: (await check.valid()).status ?? 200, when: 'valid request' });
  for (const call of typeof calls === 'function' ? await calls(study) : calls) await checkCall(check, call);
  await checkRequests(check);
  await checkMasks(check);
  await exchange(check, await check.valid(), { status: 401, when: 'no credentials' }, { anonymous: true });
  return [...deviationsOf(check), ...gapsOf(check)];
}

async function checkCall(check: Check, { status, when, again, response, shows, ...changes }: Call): Promise<void> {
  const valid = await check.valid();
  if (again) await check.study.send(check.operation.operation, valid);
  await exchange(check, change(valid, changes), { status, when, response, shows });
}

const deviationsOf = ({ operation: { operation }, deviations }: Check): Deviation[] =>
  [...deviations].map(([what, when]) => ({ operation, what, when }));

/** Parts of the specification that no request reached. Without them the check would prove less than it says. */
function gapsOf({ operation, statuses, places }: Check): Deviation[] {
  const { unreachable = {}, alwaysEmpty = [], response } = operation;
  const gaps = [
    ...operation.statuses
      .filter((status) => !statuses.has(status) && !(status in unreachable))
      .map((status) => `status ${status} was not reached`),
    ...Object.keys(unreachable)
      .filter((status) => statuses.has(Number(status)))
      .map((status) => `status ${status} is marked as unreachable, but was returned`),
    ...placesOf(response, alwaysEmpty)
      .filter((place) => !places.has(place))
      .map((place) => `${place} never had a value`),
    ...alwaysEmpty
      .filter((place) => places.has(place))
      .map((place) => `${place} is marked as always empty, but was not`),
  ];
  return gaps.map((what) => ({ operation: operation.operation, what, when: 'all requests' }));
}
