/** Secrets of attempts. */
import { createHash, randomBytes } from 'node:crypto';

export const newSecret = () => `mpe_${randomBytes(32).toString('base64url')}`;

/** The database stores only the hash. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
