/**
 * Opens a document from a browser or from Node, without React.
 *
 * @example See docs/examples/client.ts, which a test runs.
 */
import type * as Y from 'yjs'
import type { Awareness } from 'y-protocols/awareness'
import type { Status, TransportChoice } from './sync/status.ts'
import type { LinkInfo } from './transports/transport.ts'

export interface OpenOptions {
  /** Scheme, host and port of the server: `https://localhost:3443`. */
  readonly url: string
  /** The document's id. */
  readonly document: string
  /** A link's token. Needed where no cookie comes along (Node); in a browser the link is redeemed beforehand. */
  readonly token?: string
  readonly transport?: TransportChoice
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
  /** The link in use, undefined while there is none. */
  readonly transport: LinkInfo | undefined
  /** An immutable snapshot, the same object until something changes: fits React's useSyncExternalStore. */
  readonly status: { get(): Status; subscribe(listener: () => void): () => void }
  stats(): Stats
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

export declare function openDocument(options: OpenOptions): OpenDocument
