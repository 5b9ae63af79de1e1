/** The key that signs checkpoints: Ed25519, in a file that only the workers read, outside the database. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface CheckpointKey {
  /** The SHA-256 of the public key, by which a checkpoint says what signed it. */
  id: string;
  privateKey: KeyObject;
}

export const keyId = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex');

/** From the text of a PEM file. Throws a sentence that says what would be right. */
export function readCheckpointKey(pem: string): CheckpointKey {
  const privateKey = fromPem(() => createPrivateKey(pem));
  return { id: keyId(createPublicKey(privateKey)), privateKey };
}

/** From the text of a PEM file with a public key; that of a private one says the same. */
export const readPublicKey = (pem: string): KeyObject => fromPem(() => createPublicKey(pem));

function fromPem(read: () => KeyObject): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    // What is wrong with it might quote it.
  }
  if (key?.asymmetricKeyType !== 'ed25519') {
    throw new Error('an Ed25519 key in PEM is needed: openssl genpkey -algorithm ed25519 -out checkpoint-key.pem');
  }
  return key;
}

export const createCheckpointKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
