/** One document's status as an immutable snapshot, and who hears of its changes: once a turn, however many there were. */
import type { ClientSession } from '../session/session.ts'
import type { Provider } from './provider.ts'
import type { LinkStatus, Status } from './status.ts'

export class StatusStore {
  readonly #read: () => Status
  readonly #listeners = new Set<() => void>()
  #snapshot: Status | null = null
  #telling = false

  /** @param read Asked again after each change. */
  constructor(read: () => Status) {
    this.#read = read
  }

  get = (): Status => (this.#snapshot ??= this.#read())

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  changed = (): void => {
    this.#snapshot = null
    if (this.#telling) return
    this.#telling = true
    queueMicrotask(() => {
      this.#telling = false
      for (const listener of this.#listeners) listener()
    })
  }
}

export function readStatus({ links }: ClientSession, provider: Provider): Status {
  const { refusal } = provider
  const { chooser } = links
  const { nextProbe } = chooser
  return {
    link: readLinkStatus(links),
    document: provider.status,
    unsaved: provider.unsaved,
    unstored: provider.unstored,
    ...(refusal && { refusal }),
    choice: chooser.wanted,
    offered: chooser.offered,
    evidence: chooser.findings,
    ...(nextProbe && { nextProbe }),
  }
}

function readLinkStatus({ state, current, switchingTo }: ClientSession['links']): LinkStatus {
  switch (state.name) {
    case 'idle':
    case 'connecting':
      return { state: 'connecting' }
    case 'up':
      if (!current) return { state: 'connecting' }
      return { state: 'up', info: current.info, ...(switchingTo && { switchingTo }) }
    case 'waiting':
      return { state: 'retrying', reason: state.reason }
    case 'stopped':
      return { state: 'stopped', reason: state.reason }
  }
}
