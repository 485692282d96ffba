/**
 * Opens a document from a browser or from Node, without React.
 *
 * @example See docs/examples/client.ts, which a test runs.
 */
import { createNet } from '#net'
import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { describeClose } from './protocol/close.ts'
import type { CloseReason } from './protocol/close.ts'
import { packFrames } from './protocol/envelope.ts'
import type { Clock } from './session/clock.ts'
import { realClock } from './session/clock.ts'
import { ClientSession } from './session/session.ts'
import { listenToSurroundings } from './session/surroundings.ts'
import { localCopyHere } from './sync/local/here.ts'
import type { LocalCopy } from './sync/local/local-copy.ts'
import type { NeighbourPowers } from './sync/neighbours.ts'
import { Provider } from './sync/provider.ts'
import { readStatus, StatusStore } from './sync/status-store.ts'
import type { Status } from './sync/status.ts'
import { browserNeighbours } from './sync/browser-window.ts'
import type { TransportChoice } from './transports/choose.ts'
import { sayFarewell } from './transports/farewell.ts'
import { transports } from './transports/registry.ts'
import { sharedAmongWindows } from './transports/shared/page.ts'
import type { LinkInfo, Sharing, Target, Transport, TransportId } from './transports/transport.ts'

const offeredHere = sharedAmongWindows(transports)

/** Text from this device comes first, and the server then sends what it lacks. A database that hangs holds nobody up. In ms. */
const LOCAL_MS = 1_000

export interface OpenOptions {
  /** Scheme, host and port of the server: `https://localhost:3443`. */
  readonly url: string
  /** The document's id. */
  readonly document: string
  /** A link's token. Needed where no cookie comes along (Node); in a browser the link is redeemed beforehand. */
  readonly token?: string
  readonly transport?: TransportChoice
  /** Whether the windows of a browser share one connection. In a browser only. */
  readonly sharing?: Sharing
  /** PEM text of an authority to trust. Node only. */
  readonly ca?: string
  /** Trust any certificate. Node only; for tests. */
  readonly insecure?: boolean
}

export interface OpenDocument {
  readonly doc: Y.Doc
  readonly awareness: Awareness
  /** Resolves when the server's text is in `doc`. Rejects with a `DocumentRefused` when it never will be. */
  readonly whenSynced: Promise<void>
  /** Resolves when everything edited here so far is committed on the server's disk. */
  whenSaved(): Promise<void>
  /** Make-before-break (S4). Rejects when the new link fails; then the old one goes on. */
  switchTransport(choice: TransportChoice): Promise<void>
  /** Whether windows share one connection, from now on: make-before-break, too. */
  share(sharing: Sharing): void
  /** The link in use, undefined while there is none. */
  readonly transport: LinkInfo | undefined
  /** An immutable snapshot, the same object until something changes: fits React's useSyncExternalStore. */
  readonly status: { get(): Status; subscribe(listener: () => void): () => void }
  stats(): Stats
  /** For a page that goes for good and can wait for nothing: what is unsent goes by a request that outlives it. */
  leave(): void
  /** Says goodbye and frees everything. Unsaved edits are not waited for: await `whenSaved()` first. */
  close(): Promise<void>
}

export interface Stats {
  readonly framesUp: number
  readonly framesDown: number
  readonly bytesUp: number
  readonly bytesDown: number
  readonly links: number
  readonly switches: number
  /** Latest round trip by ping or acknowledgement, in ms; undefined before the first. */
  readonly roundTripMs: number | undefined
  /** Longest time without any link since the first one was up, in ms (S4). */
  readonly longestGapMs: number
}

/** The document is missing or not for this person, or the session was stopped for good. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused'
  readonly reason: CloseReason

  constructor(reason: CloseReason) {
    super(describeClose(reason))
    this.reason = reason
  }
}

/** @throws {TypeError} for an address that is none, and outside a browser without a token: it would try for ever. */
export function openDocument(options: OpenOptions): OpenDocument {
  const { origin, protocol } = new URL(options.url)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`The address "${options.url}" does not begin with https:// or http://.`)
  const net = createNet(options)
  if (!options.token && !net.bringsCookies)
    throw new TypeError('Outside a browser no cookie comes along: give the token of a link to the document.')
  const { token, sharing } = options
  const target: Target = { origin, net, ...(token && { token }), ...(sharing && { sharing }) }
  return openOver(target, offeredHere, options, {
    release: () => net.dispose(),
    neighbours: browserNeighbours(),
    local: localCopyHere({ document: options.document, part: 'body' }),
  })
}

interface Surroundings {
  readonly clock?: Clock
  release?(): void
  /** Undefined outside a browser: a program is nobody's window. */
  readonly neighbours?: NeighbourPowers | undefined
  /** Null outside a browser: nothing is kept there. */
  readonly local?: LocalCopy | null
}

/** The same over given transports and time: what tests and demos use with the in-memory pair. */
export function openOver(
  { sharing = 'automatic', ...fixed }: Target,
  offered: ReadonlyMap<TransportId, Transport>,
  { document, token = '', transport = 'automatic' }: Pick<OpenOptions, 'document' | 'token' | 'transport'>,
  { clock = realClock, release = () => {}, neighbours, local = null }: Surroundings = {},
): OpenDocument {
  const target = { ...fixed, sharing }
  const status: StatusStore = new StatusStore(() => readStatus(session, provider))
  const session = new ClientSession({ transports: offered, target, wanted: transport, clock }, status.changed)
  const doc = new Y.Doc()
  const provider = new Provider(session, { document, part: 'body', token }, doc, status.changed, {
    neighbours,
    local,
    clock,
  })
  const whenSynced = settled(status, isSynced)
  whenSynced.catch(() => {}) // not everybody asks; who asks still hears it
  const stopListening = listenToSurroundings(session, clock)
  let closed: Promise<void> | undefined
  const start = (): void => {
    if (!closed) session.start()
  }
  if (local) void within(LOCAL_MS, provider.load(), clock).then(start)
  else start()
  const close = async (): Promise<void> => {
    stopListening()
    provider.close()
    await session.close()
    release()
  }
  return {
    doc,
    awareness: provider.awareness,
    whenSynced,
    whenSaved: () => saved(status, provider),
    switchTransport: (choice) => session.switchTo(choice),
    share(sharing) {
      target.sharing = sharing
      session.links.reopen()
    },
    get transport() {
      return session.links.current?.info
    },
    status: { get: status.get, subscribe: status.subscribe },
    stats: () => statsOf(session),
    leave: () => {
      const messages = closed ? null : session.farewell()
      if (messages) void sayFarewell(target, packFrames(messages))
    },
    close: () => (closed ??= close()),
  }
}

/** Resolves with the promise, or after so many ms. */
const within = (ms: number, promise: Promise<void>, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    void promise.finally(cancel).then(resolve, resolve)
  })

const statsOf = ({ links: { record } }: ClientSession): Stats => ({
  ...record.traffic,
  links: record.opened,
  switches: record.switches,
  roundTripMs: record.roundTripMs,
  longestGapMs: record.longestGapMs,
})

const isSynced = ({ document }: Status): boolean => document.state === 'synced'

/** What is typed later need not be saved, too: a window that never pauses would wait for ever. */
function saved(status: StatusStore, provider: Provider): Promise<void> {
  const { edits } = provider
  return settled(status, (now) => isSynced(now) && provider.saved >= edits)
}

function settled(status: OpenDocument['status'], done: (status: Status) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): boolean => {
      const now = status.get()
      const refusal = refusalOf(now)
      if (refusal) reject(new DocumentRefused(refusal))
      else if (done(now)) resolve()
      else return false
      return true
    }
    if (look()) return
    const stop = status.subscribe(() => look() && stop())
  })
}

function refusalOf({ document, link, refusal }: Status): CloseReason | undefined {
  if (document.state === 'refused') return document.reason
  return link.state === 'stopped' ? link.reason : refusal
}
