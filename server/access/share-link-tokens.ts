/**
 * The token of a share link follows from the link's id and the installation's secret. So the owner can be shown a link again, and
 * the database still holds nothing but digests: whoever gets hold of it alone opens no document by it.
 */
import { createHmac } from 'node:crypto'
import { randomId } from '../../lib/protocol/ids.ts'
import { deriveKey } from './installation-secret.ts'

export interface ShareLinkTokens {
  /** An id for a new link, and its token. */
  createToken(): { id: string; token: string }
  /** The token of a link that was made under this secret. */
  tokenOf(id: string): string
}

export function createShareLinkTokens(secret: Buffer): ShareLinkTokens {
  const key = deriveKey(secret, 'share links')
  // 128 bits, as a random id has.
  const tokenOf = (id: string): string =>
    createHmac('sha256', key).update(id).digest().subarray(0, 16).toString('base64url')
  function createToken(): { id: string; token: string } {
    const id = randomId()
    const token = tokenOf(id)
    // On a command line it would be taken for an option.
    return token.startsWith('-') ? createToken() : { id, token }
  }
  return { createToken, tokenOf }
}
