/** Holds one document's status as an immutable snapshot and notifies listeners of its changes, once a turn however many there were. */
import type { ClientSession } from '../session/client-session.ts'
import type { NetworkConditions } from '../transports/network-conditions.ts'
import type { SyncedPart } from './synced-part.ts'
import type { DocumentStatus, LinkStatus, SyncStatus } from './status.ts'
import { Subscribable } from '../subscribable.ts'

export class StatusStore {
  readonly #read: () => SyncStatus
  readonly #listeners = new Subscribable()
  #snapshot: SyncStatus | null = null
  #isNotifyScheduled = false

  /** @param read Called again after each change. */
  constructor(read: () => SyncStatus) {
    this.#read = read
  }

  get = (): SyncStatus => (this.#snapshot ??= this.#read())

  readonly subscribe = this.#listeners.subscribe

  invalidate = (): void => {
    this.#snapshot = null
    if (this.#isNotifyScheduled) return
    this.#isNotifyScheduled = true
    queueMicrotask(() => {
      this.#isNotifyScheduled = false
      this.#listeners.notify()
    })
  }
}

/** @param parts All parts that hold text the window shows, the main one first. */
export function readStatus(
  { links }: ClientSession,
  parts: readonly SyncedPart[],
  simulated: NetworkConditions | null,
): SyncStatus {
  const providers = parts.map(({ provider }) => provider)
  const refusal = providers.find((one) => one.refusal)?.refusal
  const setAside = providers.find((one) => one.setAside)?.setAside
  const { chooser } = links
  const { nextProbe } = chooser
  return {
    link: readLinkStatus(links),
    document: documentStatusOf(parts),
    unsaved: sum(providers.map(({ unsaved }) => unsaved)),
    unstored: sum(providers.map(({ unstored }) => unstored)),
    ...(providers.every(({ isDeviceWritable }) => isDeviceWritable) && { isDeviceWritable: true }),
    ...(refusal && { refusal }),
    ...(setAside && { setAside }),
    choice: chooser.wanted,
    offered: chooser.offered,
    evidence: chooser.findings,
    ...(nextProbe && { nextProbe }),
    ...(simulated && { simulated }),
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** The status of the main part, but with `storeFailing` if the store fails for any part. */
function documentStatusOf(parts: readonly SyncedPart[]): DocumentStatus {
  const [main, ...others] = parts.map(({ provider }) => provider.status)
  const failing = others.some((status) => status.state === 'synced' && status.storeFailing)
  return main!.state === 'synced' && failing ? { ...main!, storeFailing: true } : main!
}

function readLinkStatus({ state, switchingTo }: ClientSession['links']): LinkStatus {
  switch (state.name) {
    case 'idle':
    case 'connecting':
      return { state: 'connecting' }
    case 'up':
    case 'switching':
      return { state: 'up', info: state.link.info, ...(switchingTo && { switchingTo }) }
    case 'waiting':
      return { state: 'retrying', reason: state.reason }
    case 'stopped':
      return { state: 'stopped', reason: state.reason }
  }
}
