/**
 * The token of a share link follows from the link's id and the installation's secret. So the owner can be shown a link again, and
 * the database still holds nothing but digests: whoever gets hold of it alone opens no document by it.
 */
import { createHmac } from 'node:crypto'
import { randomId } from '../../lib/protocol/ids.ts'
import { derivedKey } from './secret.ts'

export interface LinkTokens {
  /** An id for a new link, and its token. */
  make(): { id: string; token: string }
  /** The token of a link that was made under this secret. */
  of(id: string): string
}

export function createLinkTokens(secret: Buffer): LinkTokens {
  const key = derivedKey(secret, 'share links')
  // 128 bits, as a random id has.
  const of = (id: string): string =>
    createHmac('sha256', key).update(id).digest().subarray(0, 16).toString('base64url')
  function make(): { id: string; token: string } {
    const id = randomId()
    const token = of(id)
    // On a command line it would be taken for an option.
    return token.startsWith('-') ? make() : { id, token }
  }
  return { make, of }
}
