/** Checks of the whole history that users request and a worker runs. At most one is unfinished. */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';

export interface VerificationRow {
  id: number;
  status: 'requested' | 'running' | 'finished' | 'failed';
  requested_at: string;
  requested_by: { id: number; name: string };
  finished_at: string | null;
  entries: number;
  checkpoints: number;
  fault: string | null;
  /** Why it ended without a result. */
  failure: string | null;
}

/** A worker that has not reported progress for this long was killed. */
const lostAfter = sql`interval '1 minute'`;

const isLost = sql<boolean>`(verifications.seen_at is null or verifications.seen_at < now() - ${lostAfter})`;

const read = (where: RawBuilder<unknown>) => sql<VerificationRow>`
  select verifications.id, verifications.requested_at, verifications.finished_at, verifications.entries,
    verifications.checkpoints, verifications.fault, verifications.failure,
    jsonb_build_object('id', users.id, 'name', coalesce(nullif(users.name, ''), users.username)) as requested_by,
    case when verifications.failure is not null then 'failed'
      when verifications.finished_at is not null then 'finished' when ${isLost} then 'requested' else 'running' end as status
  from verifications join users on users.id = verifications.requested_by
  where ${where} order by verifications.id desc limit 1`;

/** The one that has not finished, or the last one. */
export const findVerification = async (db: Db): Promise<VerificationRow | undefined> =>
  (await read(sql`true`).execute(db)).rows[0];

/** The last one with a result, while another one runs. */
export const findFinished = async (db: Db): Promise<VerificationRow | undefined> =>
  (await read(sql`verifications.finished_at is not null and verifications.failure is null`).execute(db)).rows[0];

/** Returns false if one has not finished. */
export async function insertVerification(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await sql`
    insert into verifications (requested_by) values (${userId}) on conflict do nothing returning id`.execute(tx);
  return rows.length > 0;
}

const maxAttempts = 3;

/** Only the worker with the last claim can write. */
export interface VerificationClaim {
  id: number;
  attempt: number;
}

/** Without a key, a worker can only verify a history that was never signed. */
export async function claimVerification(
  db: Db,
  { hasKey }: { hasKey: boolean },
): Promise<VerificationClaim | undefined> {
  await failLost(db);
  const { rows } = await sql<VerificationClaim>`
    update verifications set seen_at = now(), entries = 0, checkpoints = 0, attempts = verifications.attempts + 1
    where verifications.id = (
      select verifications.id from verifications where verifications.finished_at is null and ${isLost}
        and (${sql.lit(hasKey)} or not exists (select from checkpoints))
      for update skip locked limit 1)
    returning verifications.id, verifications.attempts as attempt`.execute(db);
  return rows[0];
}

const lostTooOften = 'Three workers stopped before they finished. Check their logs.';

/** A verification can stop every worker that runs it, for example if they have too little memory. So no fourth worker tries. */
const failLost = (db: Db) =>
  sql`
  update verifications set finished_at = clock_timestamp(), failure = ${lostTooOften}
  where verifications.finished_at is null and ${isLost} and verifications.attempts >= ${maxAttempts}`.execute(db);

const isClaimed = ({ id, attempt }: VerificationClaim) =>
  sql`verifications.id = ${id} and verifications.attempts = ${attempt} and verifications.finished_at is null`;

export const saveProgress = (db: Db, claim: VerificationClaim, entries: number) =>
  sql`update verifications set seen_at = now(), entries = ${entries} where ${isClaimed(claim)}`.execute(db);

/** Another worker can start again at once. The attempt does not count. */
export const releaseVerification = (db: Db, claim: VerificationClaim) =>
  sql`
  update verifications set seen_at = null, attempts = verifications.attempts - 1 where ${isClaimed(claim)}`.execute(db);

export const failVerification = (db: Db, claim: VerificationClaim, failure: string) =>
  sql`
  update verifications set failure = ${failure}, finished_at = clock_timestamp() where ${isClaimed(claim)}`.execute(db);

/** Returns false if another worker has taken over. */
export async function finishVerification(
  db: Db,
  claim: VerificationClaim,
  { entries, checkpoints, fault }: Pick<VerificationRow, 'entries' | 'checkpoints' | 'fault'>,
): Promise<boolean> {
  const { rows } = await sql`
    update verifications set entries = ${entries}, checkpoints = ${checkpoints}, fault = ${fault}, finished_at = clock_timestamp()
    where ${isClaimed(claim)} returning verifications.id`.execute(db);
  return rows.length > 0;
}
