/** Checkpoints, verifications and the lines of an export. */
import { Type } from 'typebox';
import * as v from '../values.ts';

export const Verification = v.resource('Verification', 'A check of the whole history by a worker.', {
  id: v.Id,
  status: v.oneOf(['requested', 'running', 'finished', 'failed'], {
    description:
      '`requested`: no worker has started it yet. `failed`: it ended without a result, for the reason in `failure`.',
  }),
  requested_at: v.Time,
  requested_by: v.closed({ id: v.Id, name: Type.String() }),
  finished_at: v.nullable(v.Time),
  entries: Type.Integer({ minimum: 0, description: 'The entries that were read so far.' }),
  checkpoints: Type.Integer({ minimum: 0, description: 'The signed checkpoints that were verified.' }),
  fault: v.nullable(Type.String({ description: 'The first fault. Null if there is none.' })),
  failure: v.nullable(Type.String({ description: 'Why it ended without a result. Null if it did not.' })),
});

export const ShownCheckpoint = v.resource('Checkpoint', 'A signed point in the history.', {
  number: { ...v.Id, description: 'Starts at 1, without gaps.' },
  at: v.Time,
  key_id: Type.String({ description: 'The SHA-256 hash of the public key. Hexadecimal.' }),
  hash: Type.String({ description: 'Links the checkpoint to the previous one. Hexadecimal.' }),
});

const Text = v.nullable(Type.String());

const ExportedCheckpoint = v.closed({
  kind: Type.Literal('checkpoint'),
  ...ShownCheckpoint.properties,
  heads: Type.String({ description: 'The signed text.' }),
  signature: Type.String(),
});

const ExportedEntry = v.closed({
  kind: Type.Literal('entry'),
  id: v.Id,
  chain: Type.String(),
  chain_id: Type.Integer({ minimum: 0 }),
  sequence: Type.Integer({ minimum: 1 }),
  at: v.Time,
  actor_kind: Type.String(),
  actor_id: v.nullable(v.Id),
  request_id: Text,
  operation: Type.String(),
  object_kind: Type.String(),
  object_id: v.Id,
  before: Text,
  after: Text,
  reason: Text,
  person: Text,
  person_id: v.nullable(v.Id),
  values_hash: Text,
  hash: Type.String(),
  key: v.nullable(
    Type.String({ description: 'The key of the person, which verifies the values. Null if it was destroyed.' }),
  ),
  values: v.nullable(v.closed({ before: Text, after: Text, reason: Text })),
});

/** Written by chain/export-lines.ts in the server and read by `milepost verify`. */
export const ExportLine = Type.Union([
  v.closed({ kind: Type.Literal('history'), form: Type.Literal(1) }),
  ExportedCheckpoint,
  ExportedEntry,
  v.closed({
    kind: Type.Literal('end'),
    checkpoints: Type.Integer({ minimum: 0 }),
    entries: Type.Integer({ minimum: 0 }),
  }),
]);
