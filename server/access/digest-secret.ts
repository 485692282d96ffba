import { createHash } from 'node:crypto'

/** Stands for a secret of at least 122 random bits where the secret itself must not be kept: no salt, no stretching needed. */
export const digestSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')
