/**
 * Holds one document's status as immutable snapshots and notifies listeners of its changes, once a turn however many there were. What a key
 * changes is read and notified apart from the rest, which few keys change and many components show.
 */
import type { ClientSession } from '../session/client-session.ts'
import type { NetworkConditions } from '../transports/network-conditions.ts'
import type { SyncedPart } from './synced-part.ts'
import type {
  DocumentStatus,
  LinkStatus,
  ReadableStore,
  SaveProgress,
  StableSyncStatus,
  SyncStatus,
} from './status.ts'
import { Subscribable } from '../subscribable.ts'

interface StatusReaders {
  stable(): StableSyncStatus
  progress(): SaveProgress
}

export class StatusStore {
  readonly #read: StatusReaders
  readonly #listeners = new Subscribable()
  readonly #stableListeners = new Subscribable()
  readonly subscribe = this.#listeners.subscribe
  /** Notifies less often than the whole status: no key changes it. */
  readonly stable: ReadableStore<StableSyncStatus> = {
    get: () => this.#getStable(),
    subscribe: this.#stableListeners.subscribe,
  }
  #status: SyncStatus | null = null
  #stable: StableSyncStatus | null = null
  #isStableOld = false
  #isNotifyScheduled = false
  #notifiesStable = false

  /** @param read Is called again after each change. */
  constructor(read: StatusReaders) {
    this.#read = read
  }

  get = (): SyncStatus => (this.#status ??= { ...this.#getStable(), ...this.#read.progress() })

  invalidate = (): void => {
    this.#isStableOld = true
    this.#notifiesStable = true
    this.invalidateProgress()
  }

  invalidateProgress = (): void => {
    this.#status = null
    if (this.#isNotifyScheduled) return
    this.#isNotifyScheduled = true
    queueMicrotask(this.#notify)
  }

  readonly #notify = (): void => {
    this.#isNotifyScheduled = false
    if (this.#notifiesStable) {
      this.#notifiesStable = false
      this.#stableListeners.notify()
    }
    this.#listeners.notify()
  }

  /** Returns the same object until something in it is different. */
  #getStable(): StableSyncStatus {
    if (this.#stable && !this.#isStableOld) return this.#stable
    const read = this.#read.stable()
    this.#isStableOld = false
    if (JSON.stringify(read) !== JSON.stringify(this.#stable)) this.#stable = read
    return this.#stable!
  }
}

/** @param parts All parts that hold text the window shows, the main one first. */
export function readStableStatus(
  { links }: ClientSession,
  parts: readonly SyncedPart[],
  simulated: NetworkConditions | null,
): StableSyncStatus {
  const providers = parts.map(({ provider }) => provider)
  const refusal = providers.find((one) => one.refusal)?.refusal
  const setAside = providers.find((one) => one.setAside)?.setAside
  const { chooser } = links
  const { nextProbe } = chooser
  return {
    link: readLinkStatus(links),
    document: documentStatusOf(parts),
    ...(refusal && { refusal }),
    ...(setAside && { setAside }),
    choice: chooser.wanted,
    offered: chooser.offered,
    evidence: chooser.findings,
    ...(nextProbe && { nextProbe }),
    ...(simulated && { simulated }),
  }
}

/** @param parts As above. */
export function readSaveProgress(parts: readonly SyncedPart[]): SaveProgress {
  const providers = parts.map(({ provider }) => provider)
  return {
    unsaved: sum(providers.map(({ unsaved }) => unsaved)),
    unstored: sum(providers.map(({ unstored }) => unstored)),
    ...(providers.every(({ isDeviceWritable }) => isDeviceWritable) && { isDeviceWritable: true }),
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
