/** A person's desk is a room for them alone: all its windows are that person's. */
import type { Principal } from '../access/principal.ts'

/**
 * Returns the name that the desk is stored under. It has a colon, so it is no document's id. Null for a principal that has only a
 * share link's token, since everybody with that link is the same principal.
 */
export const deskNameOf = ({ id, token }: Principal): string | null => (token === undefined ? id : null)
