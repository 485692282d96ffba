/**
 * The digest of a room's text (D7). Many windows ask for the digest of one state, so it is computed once for all of them: here, or in a
 * worker thread where that would keep everybody else waiting. Knows the text; does not know who asks.
 */
import type { Logger } from 'pino'
import type * as Y from 'yjs'
import { digestOf } from '../../lib/protocol/digest.ts'
import type { RoomFaults } from './room-faults.ts'
import type { RoomText } from './room-text.ts'
import type { TextWorkerPool } from './text-worker-pool.ts'

export interface TextDigestOptions {
  readonly document: string
  readonly log: Logger
  readonly textWorkers: Pick<TextWorkerPool, 'digest'>
  readonly text: Pick<RoomText, 'stored'>
  readonly faults: Pick<RoomFaults, 'report'>
  /** Returns the Y.Doc, of which everything is on disk. Throws if Yjs cannot apply what is stored. */
  doc(): Y.Doc
}

export class TextDigest {
  readonly #options: TextDigestOptions
  #current: Promise<Uint8Array | null> | null = null

  constructor(options: TextDigestOptions) {
    this.#options = options
  }

  /** Never rejects; null if the digest could not be computed. Everything has to be on disk. */
  compute(inWorker: boolean): Promise<Uint8Array | null> {
    return (this.#current ??= inWorker ? this.#computeInWorker() : this.#computeHere())
  }

  /** The digest of the text as it is now was computed already. */
  get isKnown(): boolean {
    return this.#current !== null
  }

  /** The text has changed. */
  forget(): void {
    this.#current = null
  }

  async #computeHere(): Promise<Uint8Array | null> {
    const { doc, faults } = this.#options
    try {
      return await digestOf(doc())
    } catch (error) {
      faults.report(error)
      return null
    }
  }

  async #computeInWorker(): Promise<Uint8Array | null> {
    const { document, log, text, textWorkers } = this.#options
    try {
      return await textWorkers.digest(document, text.stored)
    } catch (error) {
      log.warn({ document, err: error }, 'a digest could not be worked out')
      return null
    }
  }
}
