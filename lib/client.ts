/**
 * Opens a document from a browser or from Node, without React.
 *
 * @example See docs/examples/client.ts, which a test runs.
 */
import { createNet } from '#net'
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import { type Asked, Opened, type Surroundings } from './opened.ts'
import type { ClientSession } from './session/session.ts'
import { browserNeighbours } from './sync/browser-window.ts'
import { localCopyHere } from './sync/local/here.ts'
import type { Notes } from './sync/notes.ts'
import type { OpenPart } from './sync/part.ts'
import type { Readable, Status } from './sync/status.ts'
import type { TransportChoice } from './transports/choose.ts'
import type { Conditions } from './transports/conditions.ts'
import { transports } from './transports/registry.ts'
import { sharedAmongWindows } from './transports/shared/page.ts'
import type { LinkInfo, Sharing, Target, Transport, TransportId } from './transports/transport.ts'

export { DocumentRefused } from './sync/settled.ts'
export type { OpenPart } from './sync/part.ts'

const offeredHere = sharedAmongWindows(transports)

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
  /**
   * Hears the other windows of this browser by the server alone, as a program would, and keeps nothing on this device: for
   * measuring.
   */
  readonly apart?: boolean
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
  readonly notes: Notes
  /**
   * Calls `listener` before others' edits are taken into `doc`, outside any Yjs transaction: an editor that has yet to read what its
   * person did writes it now, as an edit made here. Returns its undo.
   */
  beforeRemoteEdits(this: void, listener: () => void): () => void
  /** Resolves when everything edited here so far, comments included, is committed on the server's disk. */
  whenSaved(): Promise<void>
  /** The parts behind it, for those who measure or change how they talk (lib/latency); everybody else has no business there. */
  readonly opened: Opened
  /** Make-before-break (S4). Rejects when the new link fails; then the old one goes on. */
  switchTransport(choice: TransportChoice): Promise<void>
  /** Without a link: tries again at once instead of waiting, unless the server asked for the wait (S8). */
  tryNow(this: void): void
  /** Whether windows share one connection, from now on: make-before-break, too. */
  share(sharing: Sharing): void
  /**
   * The network simulator for this session's links, null for none; never kept over a reload. Turning it on and off is
   * make-before-break. Resolves when it holds; `status` tells at once.
   */
  simulate(conditions: Conditions | null): Promise<void>
  /** Breaks the link in use, as a cable that is pulled and put back. */
  cut(): void
  /** The link in use, undefined while there is none. */
  readonly transport: LinkInfo | undefined
  readonly status: Readable<Status>
  stats(): Stats
  /** For whoever looks at `stats`: asks for an answer now, where the session would have asked only after a silence (S7). */
  measureRoundTrip(): void
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
  ask(about: string, body: unknown, signal?: AbortSignal): Promise<unknown>
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
  return openOver(target, offeredHere, options, options.apart ? releaseOf(target) : pageOf(target))
}

/** @throws {TypeError} for an address that is none, and outside a browser: a program has no desk. */
export function openDesk(options: Omit<OpenOptions, 'document' | 'token'>): OpenDesk {
  const target = targetOf(options)
  if (!target.net.bringsCookies) throw new TypeError('Outside a browser no cookie comes along.')
  return openDeskOver(target, offeredHere, options, pageOf(target))
}

function targetOf(options: Omit<OpenOptions, 'document'>): Target {
  const { origin, protocol } = new URL(options.url)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`The address "${options.url}" does not begin with https:// or http://.`)
  const { token, sharing } = options
  return { origin, net: createNet(options), ...(token && { token }), ...(sharing && { sharing }) }
}

const releaseOf = ({ net }: Target): Surroundings => ({ release: () => net.dispose() })

const pageOf = (target: Target): Surroundings => ({
  ...releaseOf(target),
  neighbours: browserNeighbours(),
  local: localCopyHere,
})

/** The same over given transports and time: what tests and demos use with the in-memory pair. */
export function openOver(
  target: Target,
  offered: ReadonlyMap<TransportId, Transport>,
  { document, token = '', transport = 'automatic' }: Pick<OpenOptions, 'document' | 'token' | 'transport'>,
  surroundings: Surroundings = {},
): OpenDocument {
  const asked: Asked = { document, main: 'body', token, transport }
  const opened = new Opened(target, offered, asked, surroundings)
  const { main, session, status } = opened
  return {
    doc: main.doc,
    awareness: main.awareness,
    whenSynced: main.whenSynced,
    notes: main.provider.notes,
    beforeRemoteEdits: (listener) => main.provider.beforeRemoteEdits(listener),
    opened,
    get comments() {
      return opened.part('comments')
    },
    get desk() {
      return target.token ? null : opened.part('desk')
    },
    whenSaved: () => opened.whenSaved(),
    switchTransport: (choice) => session.switchTo(choice),
    tryNow: () => session.tryNow(),
    share: (sharing) => opened.share(sharing),
    simulate: (conditions) => opened.simulate(conditions),
    cut: () => opened.cut(),
    get transport() {
      return session.links.current?.info
    },
    status: { get: status.get, subscribe: status.subscribe },
    stats: () => statsOf(session),
    measureRoundTrip: () => session.nudge(),
    leave: () => opened.leave(),
    close: () => opened.close(),
  }
}

export function openDeskOver(
  target: Target,
  offered: ReadonlyMap<TransportId, Transport>,
  { transport = 'automatic' }: Pick<OpenOptions, 'transport'>,
  surroundings: Surroundings = {},
): OpenDesk {
  const asked: Asked = { document: '', main: 'desk', token: '', transport }
  const opened = new Opened(target, offered, asked, surroundings)
  const { doc, awareness, whenSynced, whenShown, status } = opened.main
  return {
    doc,
    awareness,
    whenSynced,
    whenShown,
    status,
    get transport() {
      return opened.session.links.current?.info
    },
    switchTransport: (choice) => opened.session.switchTo(choice),
    async ask(about, body, signal) {
      const asked = new TextEncoder().encode(JSON.stringify(body))
      return JSON.parse(new TextDecoder().decode(await opened.session.ask(about, asked, signal))) as unknown
    },
    whenSaved: () => opened.whenSaved(),
    leave: () => opened.leave(),
    close: () => opened.close(),
  }
}

const statsOf = ({ links: { record } }: ClientSession): Stats => ({
  ...record.traffic,
  links: record.opened,
  switches: record.switches,
  roundTripMs: record.roundTripMs,
  longestGapMs: record.longestGapMs,
})
