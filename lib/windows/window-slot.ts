/**
 * A window's slot is the same over reloads, and a window that replaces it inherits it. It comes in the fragment of a window that was
 * opened by one of ours, and stays in the storage of the tab. A duplicated tab brings a copy of that storage along: a lock decides whose
 * the slot is.
 */
import type { LocksLike } from '../locks.ts'
import { isRandomId, randomId } from '../protocol/ids.ts'

export interface SlotStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

const slotKey = 'diptych.place'
const popupKey = 'diptych.popup'

/** A page that reloads waits this long for its former self to end. In ms. */
const RELOAD_MS = 1_000

export interface WindowSlot {
  readonly id: string
  /** Opened by one of our windows, now or before a reload. */
  readonly popup: boolean
  /** The slot may belong to a window that waits to be taken over. */
  readonly inherits: boolean
  /** False where it was stored and has to be claimed. */
  readonly sure: boolean
}

/** Accepts only ids that may be ours, since anybody can write an address. */
function slotIdIn(hash: string): string | null {
  const given = new URLSearchParams(hash.slice(1)).get('place')
  return given !== null && isRandomId(given) ? given : null
}

/** The fragment without the slot: the rest of it belongs to other code. */
export function withoutSlot(hash: string): string {
  const rest = new URLSearchParams(hash.slice(1))
  if (!rest.has('place')) return hash
  rest.delete('place')
  return rest.size > 0 ? `#${rest}` : ''
}

export const slotHashOf = (id: string): string => `#place=${id}`

export function readWindowSlot(hash: string, storage: SlotStorage): WindowSlot {
  const given = slotIdIn(hash)
  const stored = readStored(storage, slotKey)
  const id = given ?? stored ?? randomId()
  const popup = given !== null || readStored(storage, popupKey) === '1'
  writeStored(storage, slotKey, id)
  writeStored(storage, popupKey, popup ? '1' : '')
  return { id, popup, inherits: given !== null, sure: given !== null || stored === null }
}

/** Resolves to the slot that is this window's from now on: a new one, where the stored one is another window's. */
export function claimSlot(
  locks: LocksLike,
  { id, sure }: WindowSlot,
  storage: SlotStorage,
  timeoutMs = RELOAD_MS,
): Promise<string> {
  if (sure) return holdSlotLock(locks, id).then(() => id)
  return holdSlotLock(locks, id, AbortSignal.timeout(timeoutMs)).then(
    () => id,
    () => createSlot(locks, storage),
  )
}

/** Creates a slot for a window whose slot another one has taken. */
export function createSlot(locks: LocksLike | undefined, storage: SlotStorage): string {
  const id = randomId()
  writeStored(storage, slotKey, id)
  if (locks) void holdSlotLock(locks, id)
  return id
}

/** Holds the lock for as long as the page lives. */
function holdSlotLock(locks: LocksLike, id: string, signal?: AbortSignal): Promise<void> {
  const acquired = Promise.withResolvers<void>()
  const forEver = new Promise<never>(() => {})
  locks
    .request(`diptych:place:${id}`, { ...(signal && { signal }) }, () => {
      acquired.resolve()
      return forEver
    })
    .catch(acquired.reject)
  return acquired.promise
}

/** Storage can be forbidden: then a reload is a new window. */
function readStored(storage: SlotStorage, key: string): string | null {
  try {
    return storage.getItem(key) || null
  } catch {
    return null
  }
}

function writeStored(storage: SlotStorage, key: string, value: string): void {
  try {
    storage.setItem(key, value)
  } catch {
    // Storage can be forbidden.
  }
}
