/**
 * One session and the parts that it carries: the main one from the start, each other one from its first use. It knows what
 * belongs together; client.ts decides what is shown of it, and to whom.
 */
import { uint32 } from 'lib0/random'
import * as Y from 'yjs'
import type { ChannelPart } from './protocol/channel-messages.ts'
import type { CloseReason } from './protocol/close.ts'
import { packFrames } from './protocol/framing.ts'
import type { Clock } from './session/clock.ts'
import { realClock } from './session/clock.ts'
import { ClientSession } from './session/client-session.ts'
import { listenToEnvironment } from './session/environment.ts'
import { Simulation } from './simulation.ts'
import type { LocalCopy } from './sync/local/local-copy.ts'
import type { NoteChannel } from './sync/note-channel.ts'
import type { PartKey } from './sync/local/local-records.ts'
import type { WindowPlatform } from './window-group/window-group.ts'
import { SyncedPart } from './sync/synced-part.ts'
import { Provider } from './sync/provider.ts'
import { waitForCondition } from './sync/wait-for-condition.ts'
import { readSaveProgress, readStableStatus, StatusStore } from './sync/status-store.ts'
import type { TransportChoice } from './transports/choose-transport.ts'
import type { NetworkConditions } from './transports/network-conditions.ts'
import { sendFarewell } from './transports/farewell.ts'
import type { LinkSharing, LinkTarget, Transport, TransportId } from './transports/transport.ts'

/** This device's text is loaded first, and the server then sends what it lacks. A hanging database delays nobody longer (ms). */
const LOCAL_LOAD_TIMEOUT_MS = 1_000

export interface DocumentEnvironment {
  readonly clock?: Clock
  release?(): void
  /** Undefined outside a browser, where there are no windows. */
  readonly neighbours?: WindowPlatform | undefined
  /**
   * The copy of a part on this device. Null outside a browser, where nothing is stored.
   * @param principal The principal of this session; '' before the server has named it.
   */
  local?(key: PartKey, principal: string): LocalCopy | null
}

export interface HandleOptions {
  /** '' if the main part is a desk. */
  readonly document: string
  readonly mainPart: 'body' | 'desk'
  readonly token: string
  readonly transport: TransportChoice
  /** What the main part goes on with. */
  readonly former?: FormerPart | undefined
}

interface FormerPart {
  readonly doc: Y.Doc
  readonly undoNotes: NoteChannel
}

export class DocumentHandle {
  readonly session: ClientSession
  readonly status: StatusStore
  readonly mainPart: SyncedPart
  readonly #simulation: Simulation
  readonly #target: LinkTarget & { sharing: LinkSharing }
  readonly #options: HandleOptions
  readonly #environment: DocumentEnvironment
  readonly #clock: Clock
  readonly #parts = new Map<ChannelPart, SyncedPart>()
  readonly #stopListening: () => void
  #closed: Promise<void> | undefined
  readonly #endSignal = Promise.withResolvers<void>()

  constructor(
    { sharing = 'automatic', ...target }: LinkTarget,
    transports: ReadonlyMap<TransportId, Transport>,
    handleOptions: HandleOptions,
    environment: DocumentEnvironment,
  ) {
    this.#target = { ...target, sharing }
    this.#options = handleOptions
    this.#environment = environment
    this.#clock = environment.clock ?? realClock
    this.status = new StatusStore({
      stable: () => readStableStatus(this.session, this.#textParts, this.#simulation.conditions),
      progress: () => readSaveProgress(this.#textParts),
    })
    this.#simulation = new Simulation({
      transports,
      session: () => this.session,
      clock: this.#clock,
      onChange: this.status.invalidate,
    })
    const sessionOptions = {
      transports: this.#simulation.transports,
      target: this.#target,
      wanted: handleOptions.transport,
      clock: this.#clock,
    }
    this.session = new ClientSession(sessionOptions, this.status.invalidate)
    this.#stopListening = listenToEnvironment(this.session, this.#clock)
    this.mainPart = this.#createPart(handleOptions.mainPart)
    this.#loadLatencyOnDemand(this.mainPart)
    this.#startPart(this.mainPart, () => {
      if (!this.#closed) this.session.start()
    })
  }

  /** '' if the main part is a desk. */
  get document(): string {
    return this.#options.document
  }

  /** Resolves when the document begins to close. */
  get ended(): Promise<void> {
    return this.#endSignal.promise
  }

  /** Opens the part at the first call. It closes with the session. */
  part(name: ChannelPart): SyncedPart {
    const existing = this.#parts.get(name)
    if (existing) return existing
    const created = this.#createPart(name)
    this.#startPart(created)
    return created
  }

  /** Waits only for the edits made so far: a window in which somebody types without a pause would otherwise wait for ever. */
  whenSaved(): Promise<void> {
    const { subscribe } = this.status
    const awaited = this.#textParts.map(({ provider }) => ({ provider, edits: provider.edits }))
    const isMet = (): boolean =>
      this.mainPart.provider.status.state === 'synced' &&
      awaited.every(({ provider, edits }) => provider.saved >= edits)
    return waitForCondition({ subscribe, isMet, refusal: () => this.#refusal })
  }

  setSharing(sharing: LinkSharing): void {
    this.#target.sharing = sharing
    void this.session.links.reopen()
  }

  simulate(conditions: NetworkConditions | null): Promise<void> {
    return this.#simulation.setConditions(conditions)
  }

  cutLink(): void {
    this.#simulation.cutLink()
  }

  /** Saves what it can when the page goes for good and can wait for nothing. */
  leave(): void {
    for (const { provider } of this.#parts.values()) provider.flushLocalCopy()
    const messages = this.#closed ? null : this.session.farewellMessages()
    if (messages) void sendFarewell(this.#target, packFrames(messages))
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  /** The parts whose text the window shows, the main one first. This leaves out a document's desk: no text waits for it. */
  get #textParts(): SyncedPart[] {
    return [...this.#parts]
      .filter(([name, part]) => part === this.mainPart || name !== 'desk')
      .map(([, part]) => part)
  }

  get #refusal(): CloseReason | undefined {
    return this.#textParts.find(({ refusal }) => refusal)?.refusal ?? this.session.stopped
  }

  #createPart(name: ChannelPart): SyncedPart {
    const { status, session } = this
    const { neighbours, local } = this.#environment
    const { document, mainPart, token, former: formerMainPart } = this.#options
    const key = { document: name === 'desk' ? '' : document, part: name }
    const { doc, undoNotes } = (name === mainPart ? formerMainPart : undefined) ?? {}
    // The others have heard that the window under the former id is gone.
    if (doc) doc.clientID = uint32()
    const provider = new Provider(session, { ...key, token }, doc ?? new Y.Doc(), status, {
      neighbours,
      localCopy: local?.(key, session.principal) ?? null,
      clock: this.#clock,
      undoNotes,
    })
    const part = new SyncedPart(provider, session, status.stable.subscribe)
    this.#parts.set(name, part)
    if (this.#closed) provider.close()
    status.invalidate()
    return part
  }

  /** Loads this device's copy before it starts to sync. */
  #startPart({ provider }: SyncedPart, onStarted = () => {}): void {
    const start = (): void => {
      provider.startSync()
      onStarted()
    }
    if (this.#environment.local)
      void waitAtMost(LOCAL_LOAD_TIMEOUT_MS, provider.loadLocalCopy(), this.#clock).then(start)
    else start()
  }

  /** Loads the code that measures delays only when somebody looks, here or in another window. */
  #loadLatencyOnDemand({ provider }: SyncedPart): void {
    const loadLatency = () => import('./latency/latency.ts')
    provider.onTrace = (from, bytes) =>
      void loadLatency().then(
        ({ latencyOf }) => latencyOf(this).receiveTrace(from, bytes),
        () => {}, // Offline: without measurements nothing is shown.
      )
    provider.latencyStamps.setHandlers({
      noteOf: () => undefined,
      onNote: () =>
        void loadLatency().then(
          ({ latencyOf }) => latencyOf(this),
          () => {},
        ),
      onNeighbourJoined: () => {},
      onNeighbourGone: () => {},
    })
  }

  async #close(): Promise<void> {
    this.#endSignal.resolve()
    this.#stopListening()
    for (const { provider } of this.#parts.values()) provider.close()
    await this.session.close()
    this.#environment.release?.()
  }
}

/** Resolves when the promise settles, at the latest after so many ms. */
const waitAtMost = (ms: number, promise: Promise<void>, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    void promise.finally(cancel).then(resolve, resolve)
  })
