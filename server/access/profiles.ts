/**
 * What people choose of themselves: a name, a colour. The database has it; whoever is here hears of a change at once.
 * Knows rows and principals; does not know rooms or requests.
 */
import type { Kysely } from 'kysely'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { type ColourName, isColourName } from '../../lib/protocol/palette.ts'
import { strings } from '../../lib/strings/api.ts'
import { type Rate, RateLimits } from '../rate-limit.ts'
import type { Database } from '../store/schema.ts'
import type { Refusal } from './access.ts'
import type { Principal } from './principal.ts'

export interface Profile {
  readonly name: string
  /** Null: never chosen. */
  readonly colour: ColourName | null
  /** They were asked for their name, and have answered or did not want to. */
  readonly asked: boolean
}

export type ProfileChange = Partial<Pick<Profile, 'name'> & { readonly colour: ColourName }>

/** Whose it is, and what is new. */
export interface ChangedProfile extends Required<Pick<Principal, 'id' | 'name' | 'formerNames'>> {
  /** Undefined where it stays. */
  readonly colour: ColourName | undefined
}

export interface Profiles {
  /** Null for who came by a link's token alone: everybody with that link is the same principal. */
  of(principal: Principal): Promise<Profile | null>
  /** Whoever changes something has been asked for their name. Null as in `of`; a refusal where it comes too fast. */
  change(principal: Principal, change: ProfileChange): Promise<Profile | Refusal | null>
  /** As the person is called by now: who identified them may have done so a while ago. */
  latest(principal: Principal): Principal
  /** Called when a change is on disk, before whoever asked for it is answered. Returns the undo. */
  onChanged(listener: (changed: ChangedProfile) => void): () => void
}

/** Each is told in every room where the person is. */
const MAX_CHANGES: Rate = { atOnce: 20, perSecond: 0.2 }
/** Whoever was without a network for more changes than this signs with a name that is forgotten. */
const MAX_FORMER_NAMES = 50
/** Changes remembered for sessions from before them. */
const MAX_REMEMBERED = 10_000

const USER = 'user:'
const columns = ['name', 'colour', 'formerNames', 'asked'] as const

export function createProfiles(db: Kysely<Database>, clock: Pick<Clock, 'now'> = realClock): Profiles {
  const changes = new RateLimits(MAX_CHANGES, clock)
  /** By `Principal.id`, the latest last. */
  const remembered = new Map<string, Pick<ChangedProfile, 'name' | 'formerNames'>>()
  const listeners = new Set<(changed: ChangedProfile) => void>()

  const rowOf = (of: Kysely<Database>, { id }: Principal) =>
    of.selectFrom('user').select(columns).where('id', '=', id.slice(USER.length)).executeTakeFirst()

  const write = (principal: Principal, change: ProfileChange) =>
    db.transaction().execute(async (transaction) => {
      const before = await rowOf(transaction, principal)
      if (!before) return null
      const { name = before.name, colour = before.colour } = change
      const formerNames = formerNamesOf(readFormerNames(before.formerNames), before.name, name)
      const after = { name, colour, formerNames: JSON.stringify(formerNames), asked: 1 }
      await transaction
        .updateTable('user')
        .set(after)
        .where('id', '=', principal.id.slice(USER.length))
        .execute()
      return { ...after, formerNames }
    })

  function tell(changed: ChangedProfile): void {
    const { id, name, formerNames } = changed
    remembered.delete(id)
    remembered.set(id, { name, formerNames })
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
    for (const listener of listeners) listener(changed)
  }

  return {
    async of(principal) {
      const row = isPerson(principal) ? await rowOf(db, principal) : undefined
      return row ? toProfile(row) : null
    },

    async change(principal, change) {
      if (!isPerson(principal)) return null
      const waitMs = changes.take(principal.id)
      if (waitMs > 0) return tooFast(waitMs)
      const after = await write(principal, change)
      if (!after) return null
      const { name, formerNames } = after
      if (change.name !== undefined || change.colour !== undefined)
        tell({ id: principal.id, name, formerNames, colour: change.colour })
      return toProfile(after)
    },

    latest(principal) {
      const changed = remembered.get(principal.id)
      return changed ? { ...principal, ...changed } : principal
    },

    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const isPerson = ({ id }: Principal): boolean => id.startsWith(USER)

/** As the table has them. */
export const readFormerNames = (text: string | null | undefined): readonly string[] =>
  text ? (JSON.parse(text) as string[]) : []

function formerNamesOf(former: readonly string[], before: string, after: string): readonly string[] {
  if (before === after) return former
  return [...former.filter((name) => name !== before && name !== after), before].slice(-MAX_FORMER_NAMES)
}

const toProfile = ({
  name,
  colour,
  asked,
}: {
  name: string
  colour: string | null
  asked: number
}): Profile => ({
  name,
  colour: isColourName(colour) ? colour : null,
  asked: asked === 1,
})

function tooFast(waitMs: number): Refusal {
  const retryAfterS = Math.ceil(waitMs / 1000)
  return { status: 429, code: 'too-many', message: strings.tooFast.name(retryAfterS), retryAfterS }
}
