/** The Ed25519 key that signs checkpoints. It is in a file that only workers read, not in the database. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface CheckpointKey {
  /** The SHA-256 of the public key. Each checkpoint names the key that signed it. */
  id: string;
  privateKey: KeyObject;
}

export const keyId = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex');

/** Reads the content of a PEM file. */
export function readCheckpointKey(pem: string): CheckpointKey {
  const privateKey = fromPem(() => createPrivateKey(pem));
  return { id: keyId(createPublicKey(privateKey)), privateKey };
}

/** Reads the content of a PEM file with a public key. A private key also works. */
export const readPublicKey = (pem: string): KeyObject => fromPem(() => createPublicKey(pem));

function fromPem(read: () => KeyObject): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    // The error message could contain the key.
  }
  if (key?.asymmetricKeyType !== 'ed25519') {
    throw new Error(
      'not an Ed25519 key in PEM format. Create one with: openssl genpkey -algorithm ed25519 -out checkpoint-key.pem',
    );
  }
  return key;
}

export const createCheckpointKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
