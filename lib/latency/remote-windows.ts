/** Knows the other windows that reported: who they are, how far their clocks may be off, and when they received this window's edits. */
import { shownName } from '../protocol/link-caller.ts'
import type { IdentityMessage } from './latency-messages.ts'
import { percentilesOf } from './histogram.ts'
import { type ClientArrival, numbersOf } from './journal.ts'
import type {
  EditArrival,
  RemoteStage,
  LatencySamples,
  EditTimeline,
  WindowFigures,
} from './latency-state.ts'

/** The limit, whatever presence brings: nobody compares more. */
const MAX_WINDOWS = 200

/** A window's person in its presence, as the server stamps it. */
export interface PresenceOwner {
  readonly id: string
  readonly name: string
}

interface RemoteWindow {
  readonly client: number
  identity: IdentityMessage | null
  owner: PresenceOwner | undefined
  boundMs: number | undefined
}

export interface RemoteWindowsDependencies {
  /** Returns undefined for a client that has left, or never had presence. */
  ownerOf(client: number): PresenceOwner | undefined
  /** Whether it belongs to this window's person: only those may say who they are. */
  isOwn(client: number): boolean
  readonly browser: string
}

export class RemoteWindows {
  /** Grows with every change of what is known here. */
  revision = 0
  readonly #dependencies: RemoteWindowsDependencies
  readonly #windows = new Map<number, RemoteWindow>()

  constructor(dependencies: RemoteWindowsDependencies) {
    this.#dependencies = dependencies
  }

  /** The window is there. */
  receiveIdentity(client: number, identity: IdentityMessage): void {
    const window = this.#findOrAdd(client)
    if (!window || !this.#dependencies.isOwn(client)) return
    if (window.identity?.name !== identity.name) this.revision += 1
    window.identity = identity
  }

  sharesBrowser(client: number): boolean {
    return this.#windows.get(client)?.identity?.browser === this.#dependencies.browser
  }

  idOf(client: number): string {
    const identity = this.#windows.get(client)?.identity
    return identity?.window || `client-${client}`
  }

  recordArrival(arrival: ClientArrival): void {
    const window = this.#findOrAdd(arrival.client)
    if (window) window.boundMs = arrival.boundMs
  }

  figuresOf(timelines: readonly EditTimeline[]): readonly WindowFigures[] {
    const arrivals = Map.groupBy(
      timelines.flatMap((timeline) => timeline.arrivals),
      ({ window }) => window,
    )
    return [...this.#windows.values()]
      .map((window) => this.#windowFiguresOf(window, arrivals.get(this.idOf(window.client)) ?? []))
      .filter(({ present, received }) => present || received.count > 0)
  }

  /** The windows without figures. */
  get identities(): LatencySamples['windows'] {
    return [...this.#windows.values()].map((window) => this.#identityOf(window))
  }

  /** Forgets windows that have left. */
  reset(): void {
    this.revision += 1
    for (const client of this.#windows.keys())
      if (!this.#dependencies.ownerOf(client)) this.#windows.delete(client)
  }

  #findOrAdd(client: number): RemoteWindow | undefined {
    const existing = this.#windows.get(client)
    const owner = this.#dependencies.ownerOf(client)
    if (existing) {
      existing.owner = owner ?? existing.owner
      return existing
    }
    if (this.#windows.size >= MAX_WINDOWS) return undefined
    const window: RemoteWindow = { client, identity: null, owner, boundMs: undefined }
    this.#windows.set(client, window)
    this.revision += 1
    return window
  }

  #identityOf({ client, identity, owner, boundMs }: RemoteWindow): LatencySamples['windows'][number] {
    return {
      id: this.idOf(client),
      name: identity?.name ?? '',
      device: identity?.device ?? '',
      person: owner ? shownName(owner) : '',
      own: identity !== null || this.#dependencies.isOwn(client),
      sameBrowser: this.sharesBrowser(client),
      present: this.#dependencies.ownerOf(client) !== undefined,
      ...(boundMs !== undefined && { boundMs }),
    }
  }

  #windowFiguresOf(window: RemoteWindow, arrivals: readonly EditArrival[]): WindowFigures {
    const percentilesAt = (stage: RemoteStage) =>
      percentilesOf(numbersOf(arrivals.map((arrival) => arrival[stage])))
    const countWhere = (holds: (arrival: EditArrival) => boolean): number => arrivals.filter(holds).length
    return {
      ...this.#identityOf(window),
      received: percentilesAt('received'),
      applied: percentilesAt('applied'),
      painted: percentilesAt('painted'),
      hidden: countWhere(({ painted }) => painted === 'hidden'),
      paths: {
        browser: countWhere(({ path }) => path === 'browser'),
        server: countWhere(({ path }) => path === 'server'),
      },
    }
  }
}
