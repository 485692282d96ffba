/**
 * Opens a document from a browser or from Node, without React.
 *
 * @example See docs/examples/client.ts, which a test runs.
 */
import { createNet } from '#net'
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import { type HandleOptions, DocumentHandle, type DocumentEnvironment } from './document-handle.ts'
import type { ClientSession } from './session/client-session.ts'
import { browserNeighbourPlatform } from './sync/neighbour-platform.ts'
import { browserLocalCopy } from './sync/local/browser-store.ts'
import type { NoteChannel } from './sync/note-channel.ts'
import type { OpenPart } from './sync/synced-part.ts'
import type { ReadableStore, SyncStatus } from './sync/status.ts'
import type { TransportChoice } from './transports/choose-transport.ts'
import type { NetworkConditions } from './transports/network-conditions.ts'
import { transports } from './transports/registry.ts'
import { shareAmongWindows } from './transports/shared/page-transports.ts'
import type { LinkInfo, LinkSharing, LinkTarget, Transport, TransportId } from './transports/transport.ts'

export { DocumentRefused } from './sync/wait-for-condition.ts'
export type { OpenPart } from './sync/synced-part.ts'

const offeredTransports = shareAmongWindows(transports)

export interface OpenOptions {
  /** Scheme, host and port of the server: `https://localhost:3443`. */
  readonly url: string
  /** The document's id. */
  readonly document: string
  /** A link's token. Needed where no cookie comes along (Node); in a browser the link is redeemed beforehand. */
  readonly token?: string
  readonly transport?: TransportChoice
  /** Whether the windows of a browser share one connection. In a browser only. */
  readonly sharing?: LinkSharing
  /**
   * Hears the other windows of this browser by the server alone, as a program would, and keeps nothing on this device: for
   * measuring.
   */
  readonly isolated?: boolean
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
  /** Threads about the text. Opened at the first use of this property, and closed with the document. */
  readonly comments: OpenPart
  /**
   * What this person keeps for themselves, the same on all their devices; its presence is their windows. Opened at the first use
   * of this property. Null for who comes by a link's token alone. Where it cannot be opened, the document goes on without.
   */
  readonly desk: OpenPart | null
  /** What the windows of this browser tell each other beside the text. */
  readonly undoNotes: NoteChannel
  /**
   * Calls `listener` before others' edits are taken into `doc`, outside any Yjs transaction: an editor that has yet to read what its
   * person did writes it now, as an edit made here. Returns its undo.
   */
  beforeRemoteEdits(this: void, listener: () => void): () => void
  /** Resolves when everything edited here so far, comments included, is committed on the server's disk. */
  whenSaved(): Promise<void>
  /** The parts behind it, for those who measure or change how they talk (lib/latency); everybody else has no business there. */
  readonly handle: DocumentHandle
  /** Make-before-break (S4). Rejects when the new link fails; then the old one goes on. */
  switchTransport(choice: TransportChoice): Promise<void>
  /** Without a link: tries again at once instead of waiting, unless the server asked for the wait (S8). */
  tryNow(this: void): void
  /** Whether windows share one connection, from now on: make-before-break, too. */
  setSharing(sharing: LinkSharing): void
  /**
   * The network simulator for this session's links, null for none; never kept over a reload. Turning it on and off is
   * make-before-break. Resolves when it holds; `status` tells at once.
   */
  simulate(conditions: NetworkConditions | null): Promise<void>
  /** Breaks the link in use, as a cable that is pulled and put back. */
  cutLink(): void
  /** The link in use, undefined while there is none. */
  readonly transport: LinkInfo | undefined
  readonly status: ReadableStore<SyncStatus>
  stats(): LinkStats
  /** For whoever looks at `stats`: asks for an answer now, where the session would have asked only after a silence (S7). */
  measureRoundTrip(): void
  /** For a page that goes for good and can wait for nothing: what is unsent goes by a request that outlives it. */
  leave(): void
  /** Says goodbye and frees everything. Unsaved edits are not waited for: await `whenSaved()` first. */
  close(): Promise<void>
}

export interface LinkStats {
  readonly framesUp: number
  readonly framesDown: number
  readonly bytesUp: number
  readonly bytesDown: number
  readonly links: number
  readonly switches: number
  /** Latest round trip by ping on the link in use, in ms; undefined before the first. */
  readonly roundTripMs: number | undefined
  /** Longest time without any link since the first one was up, in ms (S4). */
  readonly longestGapMs: number
}

/** A person's desk without a document, for pages that show none. */
export interface OpenDesk extends OpenPart {
  /** The link in use, undefined while there is none. */
  readonly transport: LinkInfo | undefined
  /** Make-before-break (S4). */
  switchTransport(choice: TransportChoice): Promise<void>
  /**
   * A request inside the session, in JSON: what it is about and what it says are the server's to know. Asked again on a new link.
   * @throws {AskRefused}, and what `signal` was aborted with.
   */
  sendRequest(topic: string, body: unknown, signal?: AbortSignal): Promise<unknown>
  /** Resolves when everything changed here so far is committed on the server's disk. */
  whenSaved(): Promise<void>
  /** For a page that goes for good and can wait for nothing. */
  leave(): void
  close(): Promise<void>
}

/** @throws {TypeError} for an address that is none, and outside a browser without a token: it would try for ever. */
export function openDocument(options: OpenOptions): OpenDocument {
  const target = targetOf(options)
  if (!options.token && !target.net.bringsCookies)
    throw new TypeError('Outside a browser no cookie comes along: give the token of a link to the document.')
  return openDocumentOver(
    target,
    offeredTransports,
    options,
    options.isolated ? programEnvironmentOf(target) : pageEnvironmentOf(target),
  )
}

/** @throws {TypeError} for an address that is none, and outside a browser: a program has no desk. */
export function openDesk(options: Omit<OpenOptions, 'document' | 'token'>): OpenDesk {
  const target = targetOf(options)
  if (!target.net.bringsCookies) throw new TypeError('Outside a browser no cookie comes along.')
  return openDeskOver(target, offeredTransports, options, pageEnvironmentOf(target))
}

function targetOf(options: Omit<OpenOptions, 'document'>): LinkTarget {
  const { origin, protocol } = new URL(options.url)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`The address "${options.url}" does not begin with https:// or http://.`)
  const { token, sharing } = options
  return { origin, net: createNet(options), ...(token && { token }), ...(sharing && { sharing }) }
}

const programEnvironmentOf = ({ net }: LinkTarget): DocumentEnvironment => ({ release: () => net.dispose() })

const pageEnvironmentOf = (target: LinkTarget): DocumentEnvironment => ({
  ...programEnvironmentOf(target),
  neighbours: browserNeighbourPlatform(),
  local: browserLocalCopy,
})

/** The same over given transports and time: what tests and demos use with the in-memory pair. */
export function openDocumentOver(
  target: LinkTarget,
  offered: ReadonlyMap<TransportId, Transport>,
  { document, token = '', transport = 'automatic' }: Pick<OpenOptions, 'document' | 'token' | 'transport'>,
  environment: DocumentEnvironment = {},
): OpenDocument {
  const handleOptions: HandleOptions = { document, mainPart: 'body', token, transport }
  const handle = new DocumentHandle(target, offered, handleOptions, environment)
  const { mainPart, session, status } = handle
  return {
    doc: mainPart.doc,
    awareness: mainPart.awareness,
    whenSynced: mainPart.whenSynced,
    undoNotes: mainPart.provider.undoNotes,
    beforeRemoteEdits: (listener) => mainPart.provider.beforeRemoteEdits(listener),
    handle,
    get comments() {
      return handle.part('comments')
    },
    get desk() {
      return target.token ? null : handle.part('desk')
    },
    whenSaved: () => handle.whenSaved(),
    switchTransport: (choice) => session.switchTo(choice),
    tryNow: () => session.tryNow(),
    setSharing: (sharing) => handle.setSharing(sharing),
    simulate: (conditions) => handle.simulate(conditions),
    cutLink: () => handle.cutLink(),
    get transport() {
      return session.links.current?.info
    },
    status: { get: status.get, subscribe: status.subscribe },
    stats: () => statsOf(session),
    measureRoundTrip: () => session.checkLinkNow(),
    leave: () => handle.leave(),
    close: () => handle.close(),
  }
}

export function openDeskOver(
  target: LinkTarget,
  offered: ReadonlyMap<TransportId, Transport>,
  { transport = 'automatic' }: Pick<OpenOptions, 'transport'>,
  environment: DocumentEnvironment = {},
): OpenDesk {
  const handleOptions: HandleOptions = { document: '', mainPart: 'desk', token: '', transport }
  const handle = new DocumentHandle(target, offered, handleOptions, environment)
  const { doc, awareness, whenSynced, whenShown, status } = handle.mainPart
  return {
    doc,
    awareness,
    whenSynced,
    whenShown,
    status,
    get transport() {
      return handle.session.links.current?.info
    },
    switchTransport: (choice) => handle.session.switchTo(choice),
    async sendRequest(topic, body, signal) {
      const encodedBody = new TextEncoder().encode(JSON.stringify(body))
      return JSON.parse(
        new TextDecoder().decode(await handle.session.request(topic, encodedBody, signal)),
      ) as unknown
    },
    whenSaved: () => handle.whenSaved(),
    leave: () => handle.leave(),
    close: () => handle.close(),
  }
}

const statsOf = ({ links: { record } }: ClientSession): LinkStats => ({
  ...record.traffic,
  links: record.opened,
  switches: record.switches,
  roundTripMs: record.roundTripMs,
  longestGapMs: record.longestGapMs,
})
