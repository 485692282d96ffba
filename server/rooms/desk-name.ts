/** A person's desk is a room for them alone: its windows are all theirs. */
import type { Principal } from '../access/principal.ts'

/**
 * The name it is stored under, which is no document's: those have no colon. Null for who came by a link's token alone: everybody
 * with that link is the same principal.
 */
export const deskNameOf = ({ id, token }: Principal): string | null => (token === undefined ? id : null)
