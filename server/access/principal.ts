/** Who stands at a door, and what a role may do: the same table on every transport (A4). */

export type Role = 'viewer' | 'editor' | 'owner'

export type Right = 'read' | 'write' | 'share' | 'delete'

const rights: Record<Role, Record<Right, boolean>> = {
  viewer: { read: true, write: false, share: false, delete: false },
  editor: { read: true, write: true, share: false, delete: false },
  owner: { read: true, write: true, share: true, delete: true },
}

export const roleAllows = (role: Role, right: Right): boolean => rights[role][right]

export interface Principal {
  /** `user:{id}` for who came with a cookie, `link:{id}` for who came with nothing but a link's token. */
  readonly id: string
  readonly name: string
  /** What a comment of theirs may still be signed with: it may have been on its way while they changed their name (A9). */
  readonly formerNames?: readonly string[]
  /**
   * A digest of what proved the identity (the session cookie's value or the token), so that a later request of the same
   * link is matched to it without asking the database (A2).
   */
  readonly credential: string
  /** The token that a principal without a cookie brought. */
  readonly token?: string
}

const rolesByStrength: readonly Role[] = ['owner', 'editor', 'viewer']

export const strongestRole = (roles: readonly Role[]): Role | null =>
  rolesByStrength.find((role) => roles.includes(role)) ?? null
