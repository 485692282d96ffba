/** What a window shows of its document. It has two axes, because "is there a link" and "is the text safe" are different questions. */
import type { CloseReason } from '../protocol/close.ts'
import type { TransportProbe, TransportChoice } from '../transports/choose-transport.ts'
import type { NetworkConditions } from '../transports/network-conditions.ts'
import type { TransportFinding } from '../transports/findings.ts'
import type { LinkInfo, TransportId } from '../transports/transport.ts'

export type { TransportFinding, TransportChoice }

/** Fits React's useSyncExternalStore: `get` returns the same object until something changes. */
export interface ReadableStore<Value> {
  get(): Value
  subscribe(listener: () => void): () => void
}

export type LinkStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'up'; readonly info: LinkInfo; readonly switchingTo?: TransportId }
  | { readonly state: 'retrying'; readonly reason: CloseReason }
  | { readonly state: 'stopped'; readonly reason: CloseReason }

export type DocumentStatus =
  | { readonly state: 'loading' }
  /** Shows the text of an earlier visit and what was typed since, from this device: the server has not answered yet. */
  | { readonly state: 'local'; readonly role: 'viewer' | 'editor' | 'owner' }
  | {
      readonly state: 'synced'
      readonly role: 'viewer' | 'editor' | 'owner'
      /** The server's store takes no edits for now (D3). */
      readonly storeFailing?: true
    }
  | {
      readonly state: 'refused'
      readonly reason: CloseReason
      /** What this person might do before. */
      readonly formerRole?: 'viewer' | 'editor' | 'owner'
    }

/** How far the text is saved. It changes several times with each key. */
export interface SaveProgress {
  /**
   * Edits made here that the server has not acknowledged as committed. They count for all text that the window shows: the body and, once
   * they are opened, the comments. "Saved" means unsaved === 0 and synced, and nothing else.
   */
  readonly unsaved: number
  /** How many of `unsaved` are not on this device either: they live as long as this window. */
  readonly unstored: number
  /** The device takes edits: those that are `unstored` are written to it within moments, unless it says otherwise. */
  readonly isDeviceWritable?: true
}

export interface SyncStatus extends SaveProgress {
  readonly link: LinkStatus
  readonly document: DocumentStatus
  /** Why an edit made here will never be stored; such edits stay in `unsaved`. */
  readonly refusal?: CloseReason
  /** Why the server has closed the document for now (A7), or has no space for what is written. The channel attaches again by itself, and edits wait until then. */
  readonly setAside?: CloseReason
  readonly choice: TransportChoice
  /** The transports that both server and window support, in the order of preference. */
  readonly offered: readonly TransportId[]
  /** The findings for each transport that this side knows, in the order of preference. */
  readonly evidence: readonly TransportFinding[]
  /** The better transport that is tried next in the background; `at` as in `TransportProbe`. */
  readonly nextProbe?: Pick<TransportProbe, 'transport' | 'at'>
  /** The network conditions that the simulator was told to apply, while it is on. */
  readonly simulated?: NetworkConditions
}

/** What stays the same while somebody types. */
export type StableSyncStatus = Omit<SyncStatus, keyof SaveProgress>
