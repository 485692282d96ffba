/**
 * The token of a share link is derived from the link's id and the installation's secret. So the owner can see a link again, while
 * the database has nothing but digests: whoever steals the database alone opens no document by it.
 */
import { createHmac } from 'node:crypto'
import { randomId } from '../../lib/protocol/ids.ts'
import { deriveKey } from './installation-secret.ts'

export interface ShareLinkTokens {
  /** Creates an id for a new link, and its token. */
  createToken(): { id: string; token: string }
  /** Returns the token of a link that was created under this secret. */
  tokenOf(id: string): string
}

export function createShareLinkTokens(secret: Buffer): ShareLinkTokens {
  const key = deriveKey(secret, 'share links')
  // The token has 128 bits, as a random id has.
  const tokenOf = (id: string): string =>
    createHmac('sha256', key).update(id).digest().subarray(0, 16).toString('base64url')
  function createToken(): { id: string; token: string } {
    const id = randomId()
    const token = tokenOf(id)
    // A token with a leading dash would be taken for an option on a command line.
    return token.startsWith('-') ? createToken() : { id, token }
  }
  return { createToken, tokenOf }
}
