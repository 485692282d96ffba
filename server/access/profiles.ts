/**
 * Stores the name and colour that people choose, and notifies listeners of a change at once. It knows rows and principals; it does
 * not know rooms or requests.
 */
import type { Kysely } from 'kysely'
import { type ColourName, isColourName } from '../../lib/protocol/palette.ts'
import type { Database } from '../store/schema.ts'
import type { Principal } from './principal.ts'

export interface StoredProfile {
  readonly name: string
  /** Null when never chosen. */
  readonly colour: ColourName | null
  /** True when they were asked for their name, and have answered or declined. */
  readonly asked: boolean
}

export type ProfileChange = Partial<Pick<StoredProfile, 'name'> & { readonly colour: ColourName }>

/** The person, and what is new. */
export interface ProfileUpdate extends Required<Pick<Principal, 'id' | 'name' | 'formerNames'>> {
  /** Undefined when it did not change. */
  readonly colour: ColourName | undefined
}

export interface ProfileStore {
  /** Returns null for a share link's principal: everybody with that link is the same principal. */
  findProfile(principal: Principal): Promise<StoredProfile | null>
  /** Changes the profile, and records that the person was asked for their name. Returns null as `findProfile` does. */
  changeProfile(principal: Principal, change: ProfileChange): Promise<StoredProfile | null>
  /** Returns the principal with the present name: whoever identified them may have done so a while ago. */
  withLatestProfile(principal: Principal): Principal
  /** Calls the listener when a change is on disk, before its author is answered. Returns the undo. */
  onChanged(listener: (changed: ProfileUpdate) => void): () => void
  /** Takes in a change that another node has stored. */
  notifyChanged(update: ProfileUpdate): void
}

/** A person who was offline for more changes than this signs with a name that is forgotten. */
const MAX_FORMER_NAMES = 50
/** The most changes to remember for sessions that began before them. */
const MAX_RECENT_UPDATES = 10_000

const USER_ID_PREFIX = 'user:'
const profileColumns = ['name', 'colour', 'formerNames', 'asked'] as const

export function createProfileStore(db: Kysely<Database>): ProfileStore {
  /** By `Principal.id`, the latest last. */
  const recentUpdates = new Map<string, Pick<ProfileUpdate, 'name' | 'formerNames'>>()
  const listeners = new Set<(changed: ProfileUpdate) => void>()

  const findRow = (database: Kysely<Database>, { id }: Principal) =>
    database
      .selectFrom('user')
      .select(profileColumns)
      .where('id', '=', id.slice(USER_ID_PREFIX.length))
      .executeTakeFirst()

  const writeChange = (principal: Principal, change: ProfileChange) =>
    db.transaction().execute(async (transaction) => {
      const before = await findRow(transaction, principal)
      if (!before) return null
      const { name = before.name, colour = before.colour } = change
      const formerNames = extendFormerNames(readFormerNames(before.formerNames), before.name, name)
      const after = { name, colour, formerNames: JSON.stringify(formerNames), asked: 1 }
      await transaction
        .updateTable('user')
        .set(after)
        .where('id', '=', principal.id.slice(USER_ID_PREFIX.length))
        .execute()
      return { ...after, formerNames }
    })

  function notifyChanged(update: ProfileUpdate): void {
    const { id, name, formerNames } = update
    recentUpdates.delete(id)
    recentUpdates.set(id, { name, formerNames })
    if (recentUpdates.size > MAX_RECENT_UPDATES) recentUpdates.delete(recentUpdates.keys().next().value!)
    for (const listener of listeners) listener(update)
  }

  return {
    async findProfile(principal) {
      const row = isPerson(principal) ? await findRow(db, principal) : undefined
      return row ? profileOfRow(row) : null
    },

    async changeProfile(principal, change) {
      if (!isPerson(principal)) return null
      const after = await writeChange(principal, change)
      if (!after) return null
      const { name, formerNames } = after
      if (change.name !== undefined || change.colour !== undefined)
        notifyChanged({ id: principal.id, name, formerNames, colour: change.colour })
      return profileOfRow(after)
    },

    withLatestProfile(principal) {
      const update = recentUpdates.get(principal.id)
      return update ? { ...principal, ...update } : principal
    },

    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    notifyChanged,
  }
}

const isPerson = ({ id }: Principal): boolean => id.startsWith(USER_ID_PREFIX)

/** Reads the names as the table stores them. */
export const readFormerNames = (text: string | null | undefined): readonly string[] =>
  text ? (JSON.parse(text) as string[]) : []

function extendFormerNames(former: readonly string[], before: string, after: string): readonly string[] {
  if (before === after) return former
  return [...former.filter((name) => name !== before && name !== after), before].slice(-MAX_FORMER_NAMES)
}

const profileOfRow = ({
  name,
  colour,
  asked,
}: {
  name: string
  colour: string | null
  asked: number
}): StoredProfile => ({
  name,
  colour: isColourName(colour) ? colour : null,
  asked: asked === 1,
})
