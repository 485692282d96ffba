import { createHash } from 'node:crypto'

/**
 * Returns a digest to store instead of the secret itself. The secret has at least 122 random
 * bits, so the digest needs no salt and no stretching.
 */
export const digestSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')
