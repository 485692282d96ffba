/**
 * A window's place: the same over reloads, inherited by who is opened in its stead. It comes in the fragment of a window that was
 * opened by one of ours, and stays in the storage of the tab. A duplicated tab brings a copy of that storage along: a lock tells whose
 * the place is.
 */
import type { LocksLike } from '../locks.ts'
import { isRandomId, randomId } from '../protocol/ids.ts'

export interface PlaceStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

const placeKey = 'diptych.place'
const popupKey = 'diptych.popup'

/** A page that reloads meets the end of its former self. In ms. */
const RELOAD_MS = 1_000

export interface Arrival {
  readonly place: string
  /** Opened by one of our windows, now or before a reload. */
  readonly popup: boolean
  /** The place may be somebody's who waits to be relieved of it. */
  readonly inherits: boolean
  /** False where it was stored and has to be claimed. */
  readonly sure: boolean
}

/** Anybody can write an address: only what may be one of ours counts. */
function placeIn(hash: string): string | null {
  const given = new URLSearchParams(hash.slice(1)).get('place')
  return given !== null && isRandomId(given) ? given : null
}

/** The fragment as it is without the place: what else stands in it is somebody else's. */
export function withoutPlace(hash: string): string {
  const rest = new URLSearchParams(hash.slice(1))
  if (!rest.has('place')) return hash
  rest.delete('place')
  return rest.size > 0 ? `#${rest}` : ''
}

export const hashOf = (place: string): string => `#place=${place}`

export function arrive(hash: string, storage: PlaceStorage): Arrival {
  const given = placeIn(hash)
  const stored = read(storage, placeKey)
  const place = given ?? stored ?? randomId()
  const popup = given !== null || read(storage, popupKey) === '1'
  write(storage, placeKey, place)
  write(storage, popupKey, popup ? '1' : '')
  return { place, popup, inherits: given !== null, sure: given !== null || stored === null }
}

/** Resolves to the place that is this window's from now on: another one, where the stored one is somebody else's. */
export function claim(
  locks: LocksLike,
  { place, sure }: Arrival,
  storage: PlaceStorage,
  patienceMs = RELOAD_MS,
): Promise<string> {
  if (sure) return hold(locks, place).then(() => place)
  return hold(locks, place, AbortSignal.timeout(patienceMs)).then(
    () => place,
    () => newPlace(locks, storage),
  )
}

/** For a window whose place another one has taken. */
export function newPlace(locks: LocksLike | undefined, storage: PlaceStorage): string {
  const place = randomId()
  write(storage, placeKey, place)
  if (locks) void hold(locks, place)
  return place
}

/** For as long as the page lives. */
function hold(locks: LocksLike, place: string, signal?: AbortSignal): Promise<void> {
  const held = Promise.withResolvers<void>()
  const forEver = new Promise<never>(() => {})
  locks
    .request(`diptych:place:${place}`, { ...(signal && { signal }) }, () => {
      held.resolve()
      return forEver
    })
    .catch(held.reject)
  return held.promise
}

/** Storage can be forbidden: then a reload is a new window. */
function read(storage: PlaceStorage, key: string): string | null {
  try {
    return storage.getItem(key) || null
  } catch {
    return null
  }
}

function write(storage: PlaceStorage, key: string, value: string): void {
  try {
    storage.setItem(key, value)
  } catch {
    // As above.
  }
}
