/** The other windows that answered: who they are, how far their clocks may be off, and when they had our edits. */
import { shownName } from '../protocol/link-caller.ts'
import type { Here } from './messages.ts'
import { percentilesOf } from './histogram.ts'
import { type Arrived, numbersOf } from './journal.ts'
import type { Arrival, FarStation, Samples, Timeline, WindowFigures } from './state.ts'

/** Whatever presence brings: more nobody compares. */
const MAX_WINDOWS = 200

/** What presence says of a window's person, as the server stamps it. */
export interface Person {
  readonly id: string
  readonly name: string
}

interface FarWindow {
  readonly client: number
  here: Here | null
  person: Person | undefined
  boundMs: number | undefined
}

export interface Sight {
  /** Undefined: whoever that is has left, or never said. */
  person(client: number): Person | undefined
  /** It belongs to this window's person: only those say who they are, and are believed. */
  isOwn(client: number): boolean
  readonly browser: string
}

export class FarWindows {
  /** Grows with what is known of whom. */
  changes = 0
  readonly #sight: Sight
  readonly #windows = new Map<number, FarWindow>()

  constructor(sight: Sight) {
    this.#sight = sight
  }

  /** It is there. */
  here(client: number, here: Here): void {
    const window = this.#know(client)
    if (!window || !this.#sight.isOwn(client)) return
    if (window.here?.name !== here.name) this.changes += 1
    window.here = here
  }

  sharesBrowser(client: number): boolean {
    return this.#windows.get(client)?.here?.browser === this.#sight.browser
  }

  idOf(client: number): string {
    const here = this.#windows.get(client)?.here
    return here?.window || `client-${client}`
  }

  arrived(arrival: Arrived): void {
    const window = this.#know(arrival.client)
    if (window) window.boundMs = arrival.boundMs
  }

  figures(timelines: readonly Timeline[]): readonly WindowFigures[] {
    const arrivals = Map.groupBy(
      timelines.flatMap((timeline) => timeline.arrivals),
      ({ window }) => window,
    )
    return [...this.#windows.values()]
      .map((window) => this.#figuresOf(window, arrivals.get(this.idOf(window.client)) ?? []))
      .filter(({ present, received }) => present || received.count > 0)
  }

  /** Without figures. */
  get who(): Samples['windows'] {
    return [...this.#windows.values()].map((window) => this.#whoIs(window))
  }

  /** Who has left is forgotten. */
  reset(): void {
    this.changes += 1
    for (const client of this.#windows.keys()) if (!this.#sight.person(client)) this.#windows.delete(client)
  }

  #know(client: number): FarWindow | undefined {
    const known = this.#windows.get(client)
    const person = this.#sight.person(client)
    if (known) {
      known.person = person ?? known.person
      return known
    }
    if (this.#windows.size >= MAX_WINDOWS) return undefined
    const window: FarWindow = { client, here: null, person, boundMs: undefined }
    this.#windows.set(client, window)
    this.changes += 1
    return window
  }

  #whoIs({ client, here, person, boundMs }: FarWindow): Samples['windows'][number] {
    return {
      id: this.idOf(client),
      name: here?.name ?? '',
      device: here?.device ?? '',
      person: person ? shownName(person) : '',
      own: here !== null || this.#sight.isOwn(client),
      sameBrowser: this.sharesBrowser(client),
      present: this.#sight.person(client) !== undefined,
      ...(boundMs !== undefined && { boundMs }),
    }
  }

  #figuresOf(window: FarWindow, arrivals: readonly Arrival[]): WindowFigures {
    const of = (station: FarStation) => percentilesOf(numbersOf(arrivals.map((arrival) => arrival[station])))
    const count = (holds: (arrival: Arrival) => boolean): number => arrivals.filter(holds).length
    return {
      ...this.#whoIs(window),
      received: of('received'),
      applied: of('applied'),
      painted: of('painted'),
      hidden: count(({ painted }) => painted === 'hidden'),
      paths: {
        browser: count(({ path }) => path === 'browser'),
        server: count(({ path }) => path === 'server'),
      },
    }
  }
}
