/**
 * Sends what windows that are gone could not send (D6), from any page of the site, without showing it. One page of the browser
 * at a time; a document that some window has open is left to that window. Knows rows and locks; does not know the screen.
 */
import {
  DocumentRefused,
  openDesk,
  openDocument,
  type OpenDesk,
  type OpenDocument,
  type OpenOptions,
} from './client.ts'
import type { LocksLike } from './locks.ts'
import { storeHere } from './sync/local/here.ts'
import { keeperLock, writerOf } from './sync/local/local-copy.ts'
import { rememberedPrincipal } from './sync/local/principal.ts'
import type { Leftover, LocalStore, Place } from './sync/local/store.ts'
import type { ChannelPart } from './protocol/channel.ts'
import { ifGone } from './sync/window-id.ts'

/** How often what could not be sent is tried again, in ms. */
const AGAIN_MS = 60_000
/** A server that cannot be reached is no reason to hold documents open, in ms. */
const PATIENCE_MS = 20_000

const courierLock = 'diptych:courier'

export interface CourierReport {
  /** So many changes of one document are on the server. */
  onDelivered(changes: number): void
  /** The server will never take them. They stay on this device. */
  onRefused(changes: number, why: string): void
}

export interface CourierPowers extends CourierReport {
  readonly store: LocalStore
  readonly locks: LocksLike
  /** As whom this browser is known. */
  principal(): string
  /** @param document '' for the person's desk. */
  open(document: string, parts: readonly ChannelPart[]): Parcel
  readonly patienceMs?: number
}

/** What is open so that it can be sent. */
interface Parcel {
  /** All its parts. */
  readonly whenSynced: Promise<void>
  whenSaved(): Promise<void>
  /** The connection ended for good (an old page, another person): nothing of it was refused, and it waits for a later round. */
  isStopped(): boolean
  close(): Promise<void>
}

export const documentParcel = (opened: OpenDocument, parts: readonly ChannelPart[]): Parcel => ({
  whenSynced: parts.includes('comments')
    ? Promise.all([opened.whenSynced, opened.comments.whenSynced]).then(() => {})
    : opened.whenSynced,
  whenSaved: () => opened.whenSaved(),
  isStopped: () => opened.status.get().link.state === 'stopped',
  close: () => opened.close(),
})

/** It is no text: nobody is told of it, either way. */
const deskParcel = (opened: OpenDesk): Parcel => ({
  whenSynced: opened.whenSynced,
  whenSaved: () => opened.whenSaved(),
  isStopped: () => true,
  close: () => opened.close(),
})

/** Returns its undo. Does nothing outside a browser. */
export function startCourier(
  options: CourierReport & { transport(): NonNullable<OpenOptions['transport']> },
): () => void {
  const store = storeHere()
  if (!store) return () => {}
  const url = location.origin
  const open = (document: string, parts: readonly ChannelPart[]): Parcel => {
    const transport = options.transport()
    return document
      ? documentParcel(openDocument({ url, document, transport }), parts)
      : deskParcel(openDesk({ url, transport }))
  }
  const powers = { ...options, store, locks: navigator.locks, principal: rememberedPrincipal, open }
  const go = oneAtATime(() => deliver(powers))
  go()
  const timer = setInterval(go, AGAIN_MS)
  addEventListener('online', go)
  return () => {
    clearInterval(timer)
    removeEventListener('online', go)
  }
}

/** A round may take longer than the time between two, and wait for those of other pages: no queue may grow. */
export function oneAtATime(round: () => Promise<void>): () => void {
  let isOn = false
  return () => {
    if (isOn) return
    isOn = true
    void round().finally(() => (isOn = false))
  }
}

/** One round. Never rejects: what fails is tried in the next. */
export async function deliver(powers: CourierPowers): Promise<void> {
  const round = async (): Promise<void> => {
    for (const leftovers of await waiting(powers)) await deliverOne(powers, leftovers)
  }
  await powers.locks.request(courierLock, {}, round).catch(() => {})
}

/** By document, what windows that are gone have left of this person's. */
async function waiting({ store, locks, principal }: CourierPowers): Promise<Leftover[][]> {
  const all = await store.leftovers()
  const own = all.filter((left) => ['', principal()].includes(left.principal))
  const orphaned: Leftover[] = []
  for (const left of own) if (await isFree(locks, left)) orphaned.push(left)
  return [...Map.groupBy(orphaned, ({ document }) => document).values()]
}

/** Neither its window nor another that has the document open is there. */
async function isFree(locks: LocksLike, left: Leftover): Promise<boolean> {
  const isGone = await ifGone(locks, writerOf(left.window), async () => {})
  return isGone && !(await isKept(locks, left))
}

const isKept = (locks: LocksLike, place: Place): Promise<boolean> =>
  locks.request(keeperLock(place), { ifAvailable: true }, async (lock) => lock === null)

async function deliverOne(powers: CourierPowers, leftovers: readonly Leftover[]): Promise<void> {
  const { document } = leftovers[0]!
  const changes = leftovers.reduce((sum, left) => sum + left.changes, 0)
  const patienceMs = powers.patienceMs ?? PATIENCE_MS
  const opened = powers.open(
    document,
    leftovers.map(({ part }) => part),
  )
  try {
    await within(patienceMs, opened.whenSynced)
    await within(patienceMs, opened.whenSaved())
    if (document) powers.onDelivered(changes)
  } catch (error) {
    if (error instanceof DocumentRefused && !opened.isStopped()) powers.onRefused(changes, error.message)
  } finally {
    await opened.close()
  }
}

function within(ms: number, promise: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`not within ${ms} ms`)), ms)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
