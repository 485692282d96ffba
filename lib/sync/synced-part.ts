/** A part as its session's owner holds it: body, comments or desk, with its text, its presence, and its status. */
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import type { CloseReason } from '../protocol/close.ts'
import type { ClientSession } from '../session/client-session.ts'
import type { Provider } from './provider.ts'
import { waitForCondition } from './wait-for-condition.ts'
import type { DocumentStatus, ReadableStore } from './status.ts'

export interface OpenPart {
  readonly doc: Y.Doc
  readonly awareness: Awareness
  /** Resolves when the server's text is in `doc`. Rejects with a `DocumentRefused` when it never will be. */
  readonly whenSynced: Promise<void>
  /** Resolves as soon as there is something to show: what this device has, or the server's. Rejects as `whenSynced`. */
  readonly whenShown: Promise<void>
  readonly status: ReadableStore<DocumentStatus>
}

export class SyncedPart implements OpenPart {
  readonly provider: Provider
  readonly whenSynced: Promise<void>
  readonly whenShown: Promise<void>
  readonly status: ReadableStore<DocumentStatus>

  /** @param subscribe Subscribes to changes of the part and of its session. */
  constructor(provider: Provider, session: ClientSession, subscribe: ReadableStore<unknown>['subscribe']) {
    this.provider = provider
    this.status = { get: () => provider.status, subscribe }
    const refusal = () => this.refusal ?? session.stopped
    const whenState = (...states: DocumentStatus['state'][]): Promise<void> => {
      const reached = waitForCondition({
        subscribe,
        refusal,
        isMet: () => states.includes(provider.status.state),
      })
      reached.catch(() => {}) // not every caller awaits it; one that does still gets the error
      return reached
    }
    this.whenSynced = whenState('synced')
    this.whenShown = whenState('local', 'synced')
  }

  get doc(): Y.Doc {
    return this.provider.doc
  }

  get awareness(): Awareness {
    return this.provider.awareness
  }

  /** The refusal of the part, or of an edit made here. */
  get refusal(): CloseReason | undefined {
    const { status, refusal } = this.provider
    return status.state === 'refused' ? status.reason : refusal
  }
}
