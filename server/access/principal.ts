/** Who makes a request, and what a role may do: one table for every transport (A4). */

export type Role = 'viewer' | 'editor' | 'owner'

export type Right = 'read' | 'write' | 'share' | 'delete'

const rights: Record<Role, Record<Right, boolean>> = {
  viewer: { read: true, write: false, share: false, delete: false },
  editor: { read: true, write: true, share: false, delete: false },
  owner: { read: true, write: true, share: true, delete: true },
}

export const roleAllows = (role: Role, right: Right): boolean => rights[role][right]

export interface Principal {
  /** `user:{id}` for a principal with a cookie, `link:{id}` for one with nothing but a share link's token. */
  readonly id: string
  readonly name: string
  /** Names that may still sign this person's comments: a comment may have been on its way when the name changed (A9). */
  readonly formerNames?: readonly string[]
  /**
   * A digest of what proved the identity (the session cookie's value or the token), so that a later request of the same link is
   * matched to it without a database query (A2).
   */
  readonly credential: string
  /** Where the request came from, as a key for limits (client-address.ts). Unset for a principal that no request has named. */
  readonly address?: string
  /** The token of a principal without a cookie. */
  readonly token?: string
}

const rolesByStrength: readonly Role[] = ['owner', 'editor', 'viewer']

export const strongestRole = (roles: readonly Role[]): Role | null =>
  rolesByStrength.find((role) => roles.includes(role)) ?? null
