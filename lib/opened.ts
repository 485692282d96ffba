/**
 * One session and the parts that it carries: the main one from the start, the others from when somebody asks for them. Knows
 * what belongs together; what is shown of it, and to whom, is client.ts's affair.
 */
import * as Y from 'yjs'
import type { ChannelPart } from './protocol/channel.ts'
import type { CloseReason } from './protocol/close.ts'
import { packFrames } from './protocol/envelope.ts'
import type { Clock } from './session/clock.ts'
import { realClock } from './session/clock.ts'
import { ClientSession } from './session/session.ts'
import { listenToSurroundings } from './session/surroundings.ts'
import { Simulation } from './simulation.ts'
import type { LocalCopy } from './sync/local/local-copy.ts'
import type { Place } from './sync/local/store.ts'
import type { NeighbourPowers } from './sync/neighbours.ts'
import { Part } from './sync/part.ts'
import { Provider } from './sync/provider.ts'
import { settled } from './sync/settled.ts'
import { readStatus, StatusStore } from './sync/status-store.ts'
import type { TransportChoice } from './transports/choose.ts'
import type { Conditions } from './transports/conditions.ts'
import { sayFarewell } from './transports/farewell.ts'
import type { Sharing, Target, Transport, TransportId } from './transports/transport.ts'

/** Text from this device comes first, and the server then sends what it lacks. A database that hangs holds nobody up. In ms. */
const LOCAL_MS = 1_000

export interface Surroundings {
  readonly clock?: Clock
  release?(): void
  /** Undefined outside a browser: a program is nobody's window. */
  readonly neighbours?: NeighbourPowers | undefined
  /**
   * What this device keeps of a part; null outside a browser: nothing is kept there.
   * @param principal Whose session this is; '' before the server has said so.
   */
  local?(place: Place, principal: string): LocalCopy | null
}

export interface Asked {
  /** '' where the main part is a desk. */
  readonly document: string
  readonly main: 'body' | 'desk'
  readonly token: string
  readonly transport: TransportChoice
}

export class Opened {
  readonly session: ClientSession
  readonly status: StatusStore
  readonly main: Part
  readonly #simulation: Simulation
  readonly #target: Target & { sharing: Sharing }
  readonly #asked: Asked
  readonly #surroundings: Surroundings
  readonly #clock: Clock
  readonly #parts = new Map<ChannelPart, Part>()
  readonly #stopListening: () => void
  #closed: Promise<void> | undefined
  readonly #end = Promise.withResolvers<void>()

  constructor(
    { sharing = 'automatic', ...target }: Target,
    transports: ReadonlyMap<TransportId, Transport>,
    asked: Asked,
    surroundings: Surroundings,
  ) {
    this.#target = { ...target, sharing }
    this.#asked = asked
    this.#surroundings = surroundings
    this.#clock = surroundings.clock ?? realClock
    this.status = new StatusStore(() => readStatus(this.session, this.#text, this.#simulation.conditions))
    const offered = new Map(transports)
    const options = { transports: offered, target: this.#target, wanted: asked.transport, clock: this.#clock }
    this.session = new ClientSession(options, this.status.changed)
    this.#simulation = new Simulation(this.session, offered, this.#clock, this.status.changed)
    this.#stopListening = listenToSurroundings(this.session, this.#clock)
    this.main = this.#create(asked.main)
    this.#listenForLooks(this.main)
    this.#begin(this.main, () => {
      if (!this.#closed) this.session.start()
    })
  }

  /** '' where the main part is a desk. */
  get document(): string {
    return this.#asked.document
  }

  /** The document is being closed. */
  get ended(): Promise<void> {
    return this.#end.promise
  }

  /** Opened at the first call, and with the rest of the session closed. */
  part(part: ChannelPart): Part {
    const known = this.#parts.get(part)
    if (known) return known
    const created = this.#create(part)
    this.#begin(created)
    return created
  }

  /** What is typed later need not be saved, too: a window that never pauses would wait for ever. */
  whenSaved(): Promise<void> {
    const { subscribe } = this.status
    const due = this.#text.map(({ provider }) => ({ provider, edits: provider.edits }))
    const isMet = (): boolean =>
      this.main.provider.status.state === 'synced' &&
      due.every(({ provider, edits }) => provider.saved >= edits)
    return settled({ subscribe, isMet, refusal: () => this.#refusal })
  }

  share(sharing: Sharing): void {
    this.#target.sharing = sharing
    void this.session.links.reopen()
  }

  simulate(conditions: Conditions | null): Promise<void> {
    return this.#simulation.set(conditions)
  }

  cut(): void {
    this.#simulation.cut()
  }

  /** For a page that goes for good and can wait for nothing. */
  leave(): void {
    for (const { provider } of this.#parts.values()) provider.flush()
    const messages = this.#closed ? null : this.session.farewell()
    if (messages) void sayFarewell(this.#target, packFrames(messages))
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  /** The parts whose text the window shows, the main one first. A desk beside a document is none of it: no text waits for it. */
  get #text(): Part[] {
    return [...this.#parts]
      .filter(([name, part]) => part === this.main || name !== 'desk')
      .map(([, part]) => part)
  }

  get #refusal(): CloseReason | undefined {
    return this.#text.find(({ refusal }) => refusal)?.refusal ?? this.session.stopped
  }

  #create(name: ChannelPart): Part {
    const { status, session } = this
    const { neighbours, local } = this.#surroundings
    const place = { document: name === 'desk' ? '' : this.#asked.document, part: name }
    const provider = new Provider(
      session,
      { ...place, token: this.#asked.token },
      new Y.Doc(),
      status.changed,
      {
        neighbours,
        local: local?.(place, session.principal) ?? null,
        clock: this.#clock,
      },
    )
    const part = new Part(provider, session, status.subscribe)
    this.#parts.set(name, part)
    if (this.#closed) provider.close()
    status.changed()
    return part
  }

  /** What this device has comes first. */
  #begin({ provider }: Part, then = () => {}): void {
    const go = (): void => {
      provider.ready()
      then()
    }
    if (this.#surroundings.local) void within(LOCAL_MS, provider.load(), this.#clock).then(go)
    else go()
  }

  /** Nothing of what measures is loaded before somebody looks, here or in another window. */
  #listenForLooks({ provider }: Part): void {
    const load = () => import('./latency/latency.ts')
    provider.onTrace = (from, bytes) =>
      void load().then(
        ({ latencyOf }) => latencyOf(this).hear(from, bytes),
        () => {}, // offline: what is not measured is not shown
      )
    provider.stamps.read({
      noteOf: () => undefined,
      heard: () =>
        void load().then(
          ({ latencyOf }) => latencyOf(this),
          () => {},
        ),
      met: () => {},
      gone: () => {},
    })
  }

  async #close(): Promise<void> {
    this.#end.resolve()
    this.#stopListening()
    for (const { provider } of this.#parts.values()) provider.close()
    await this.session.close()
    this.#surroundings.release?.()
  }
}

/** Resolves with the promise, or after so many ms. */
const within = (ms: number, promise: Promise<void>, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    void promise.finally(cancel).then(resolve, resolve)
  })
