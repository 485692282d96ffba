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
import { browserWindowPlatform } from './window-group/browser-window-platform.ts'
import { browserLocalCopy } from './sync/local/browser-store.ts'
import type { NoteChannel } from './sync/note-channel.ts'
import type { OpenPart } from './sync/synced-part.ts'
import type { ReadableStore, StableSyncStatus, SyncStatus } from './sync/status.ts'
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
  /** A share link's token. Needed where no cookie comes along (Node); in a browser the share link is redeemed beforehand. */
  readonly token?: string
  readonly transport?: TransportChoice
  /** Whether the windows of a browser share one connection. In a browser only. */
  readonly sharing?: LinkSharing
  /**
   * Receives the edits of this browser's other windows through the server alone, as a program would, and stores nothing on this
   * device: for measuring.
   */
  readonly isolated?: boolean
  /** The same document as this page had it open before, saved and closed by now: its Y.Doc and its undo steps go on. */
  readonly former?: FormerDocument
  /** PEM text of an authority to trust. Node only. */
  readonly ca?: string
  /** Trust any certificate. Node only; for tests. */
  readonly insecure?: boolean
}

export type FormerDocument = Pick<OpenDocument, 'doc' | 'undoNotes'>

export interface OpenDocument {
  readonly doc: Y.Doc
  readonly awareness: Awareness
  /** Resolves when the server's text is in `doc`. Rejects with a `DocumentRefused` when it never will be. */
  readonly whenSynced: Promise<void>
  /** Threads about the text. Opened at the first use of this property, and closed with the document. */
  readonly comments: OpenPart
  /**
   * The person's desk, the same on all their devices; its presence is their windows. Opened at the first use of this property.
   * Null if the person has only a share link's token. If the desk cannot be opened, the document works without it.
   */
  readonly desk: OpenPart | null
  /** The undo steps that the windows of this browser exchange beside the text. */
  readonly undoNotes: NoteChannel
  /**
   * Calls `listener` before remote edits are applied to `doc`, outside any Yjs transaction: an editor that has yet to read its
   * person's input writes it now, as a local edit. Returns a function that removes the listener.
   */
  beforeRemoteEdits(this: void, listener: () => void): () => void
  /** Calls `listener` when rights in the document or the proposals to change it have changed. Returns a function that stops this. */
  onRights(this: void, listener: () => void): () => void
  /** Resolves when everything edited here so far, comments included, is committed on the server's disk. */
  whenSaved(): Promise<void>
  /** The session and parts, only for code that measures them or changes how they communicate (lib/latency). */
  readonly handle: DocumentHandle
  /** Make-before-break (S4). Rejects when the new link fails; the old one then stays in use. */
  switchTransport(choice: TransportChoice): Promise<void>
  /** Without a link: tries again at once instead of waiting, unless the server asked for the wait (S8). */
  tryNow(this: void): void
  /** Whether windows share one connection, from now on: make-before-break, too. */
  setSharing(sharing: LinkSharing): void
  /**
   * Simulates a network for this session's links, null for none; a reload ends it. Turning it on and off is make-before-break.
   * Resolves when it applies; `status` shows it at once.
   */
  simulate(conditions: NetworkConditions | null): Promise<void>
  /** Breaks the link in use, as if a cable was pulled and put back. */
  cutLink(): void
  /** The link in use, undefined while there is none. */
  readonly transport: LinkInfo | undefined
  readonly status: ReadableStore<SyncStatus>
  /** Notifies less often: no key changes it. */
  readonly stableStatus: ReadableStore<StableSyncStatus>
  stats(): LinkStats
  /** Pings at once for whoever looks at `stats`: the session itself pings only after a silence (S7). */
  measureRoundTrip(): void
  /** For a page that goes for good and can wait for nothing: a request that outlives the page brings the unsaved edits. */
  leave(): void
  /** Sends `bye` and frees everything. It does not wait for unsaved edits: await `whenSaved()` first. */
  close(): Promise<void>
}

export interface LinkStats {
  readonly framesUp: number
  readonly framesDown: number
  readonly bytesUp: number
  readonly bytesDown: number
  readonly links: number
  readonly switches: number
  /** The latest round trip by ping on the link in use, in ms; undefined before the first. */
  readonly roundTripMs: number | undefined
  /** The longest time without any link since the first one was up, in ms (S4). */
  readonly longestGapMs: number
}

/** A person's desk without a document, for pages that show none. */
export interface OpenDesk extends OpenPart {
  /** The link in use, undefined while there is none. */
  readonly transport: LinkInfo | undefined
  /** Make-before-break (S4). */
  switchTransport(choice: TransportChoice): Promise<void>
  /**
   * Sends a request in JSON within the session, again on each new link. The server defines methods and their parameters.
   * @throws {RequestRefused}, and what `signal` was aborted with.
   */
  sendRequest(method: string, parameters: unknown, signal?: AbortSignal): Promise<unknown>
  /** Resolves when everything changed here so far is committed on the server's disk. */
  whenSaved(): Promise<void>
  /** Saves what it can when the page goes for good and can wait for nothing. */
  leave(): void
  close(): Promise<void>
}

/** @throws {TypeError} for an invalid address, and outside a browser without a token: it would try for ever. */
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

/** @throws {TypeError} for an invalid address, and outside a browser: a program has no desk. */
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
  neighbours: browserWindowPlatform(),
  local: browserLocalCopy,
})

/** Opens a document over given transports and time: tests and demos use it with the in-memory pair. */
export function openDocumentOver(
  target: LinkTarget,
  offered: ReadonlyMap<TransportId, Transport>,
  {
    document,
    token = '',
    transport = 'automatic',
    former,
  }: Pick<OpenOptions, 'document' | 'token' | 'transport' | 'former'>,
  environment: DocumentEnvironment = {},
): OpenDocument {
  const handleOptions: HandleOptions = { document, mainPart: 'body', token, transport, former }
  const handle = new DocumentHandle(target, offered, handleOptions, environment)
  const { mainPart, session, status } = handle
  return {
    doc: mainPart.doc,
    awareness: mainPart.awareness,
    whenSynced: mainPart.whenSynced,
    undoNotes: mainPart.provider.undoNotes,
    beforeRemoteEdits: (listener) => mainPart.provider.beforeRemoteEdits(listener),
    onRights: (listener) => mainPart.provider.onRights(listener),
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
    stableStatus: status.stable,
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
    async sendRequest(method, parameters, signal) {
      const encodedParameters = new TextEncoder().encode(JSON.stringify(parameters))
      return JSON.parse(
        new TextDecoder().decode(await handle.session.request(method, encodedParameters, signal)),
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
