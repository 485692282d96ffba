/** Five writers type at the same places without rest, each over its own route, and record what was saved. */
import type * as Y from 'yjs'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import {
  type Scheme,
  type SharedDocument,
  type TransportRoute,
  mainRoutes,
} from '../../server/fixtures/real-server.ts'
import { type TokenState, tokensOf } from './oracle.ts'
import type { SeededRandom } from './seeded-random.ts'
import { type StockConnection, openStockConnection } from './stock-connection.ts'

const MAX_PAUSE_MS = 30
/** A writer stops waiting for its acknowledgement after so long: offline, people type on. */
const ACKNOWLEDGEMENT_TIMEOUT_MS = 80

export abstract class ChaosWriter {
  readonly name: string
  readonly ledger = new Map<string, TokenState>()
  abstract readonly doc: Y.Doc
  readonly #random: SeededRandom
  readonly #maxPauseMs: number
  #tokenCount = 0
  #writing: Promise<void> | null = null

  /** @param maxPauseMs The longest pause between two edits. */
  constructor(name: string, random: SeededRandom, maxPauseMs = MAX_PAUSE_MS) {
    this.name = name
    this.#random = random
    this.#maxPauseMs = maxPauseMs
  }

  /** Resolves once the writer has the server's text. */
  abstract waitUntilSynced(): Promise<void>
  /** Resolves when all tokens so far are on disk; never, when the protocol has no acknowledgement. */
  protected abstract whenSaved(): Promise<void>
  abstract close(): Promise<void>

  get acknowledgedCount(): number {
    return [...this.ledger.values()].filter((state) => state === 'saved' || state === 'deleted').length
  }

  start(signal: AbortSignal): void {
    this.#writing = this.#writeUntilStopped(signal)
    this.#writing.catch(() => {}) // `waitUntilStopped` reports it
  }

  /** Resolves when the writer has written its last token; rejects with its failure. */
  async waitUntilStopped(): Promise<void> {
    await this.#writing
  }

  /** Waits until every token so far is saved, and records that. */
  async waitForAcknowledgement(): Promise<void> {
    const unacknowledged = [...this.ledger]
    await this.whenSaved()
    for (const [token, state] of unacknowledged) {
      if (state === 'said' && this.ledger.get(token) === 'said') this.ledger.set(token, 'saved')
      if (state === 'deleting') this.ledger.set(token, 'deleted')
    }
  }

  async #writeUntilStopped(signal: AbortSignal): Promise<void> {
    let failure: Error | undefined
    while (!signal.aborted && failure === undefined) {
      if (this.#random.next() < 0.1) this.#deleteToken()
      else this.insertToken()
      const acknowledgement = this.waitForAcknowledgement().catch((error: Error) => void (failure = error))
      await pause(this.#random.between(0, this.#maxPauseMs))
      if (this.#random.next() < 0.5) await Promise.race([acknowledgement, pause(ACKNOWLEDGEMENT_TIMEOUT_MS)])
    }
    if (failure !== undefined)
      throw new Error(`${this.name} cannot go on: ${failure.message}`, { cause: failure })
  }

  /** Inserts a token after the writer's own last one, so that the order can be checked: right there, at the end, or in between. */
  insertToken(): void {
    const tokens = tokensOf(this.doc)
    const minIndex = tokens.findLastIndex((token) => this.ledger.has(token)) + 1
    const index = this.#random.pick([minIndex, tokens.length, this.#random.between(minIndex, tokens.length)])
    const token = `${this.name}${++this.#tokenCount};`
    this.ledger.set(token, 'said')
    this.doc.getText('tokens').insert(tokens.slice(0, index).join('').length, token)
  }

  #deleteToken(): void {
    const tokens = tokensOf(this.doc)
    const ownTokens = tokens.filter((token) => ['said', 'saved'].includes(this.ledger.get(token) ?? ''))
    if (ownTokens.length === 0) return
    const token = this.#random.pick(ownTokens)
    this.ledger.set(token, 'deleting')
    const before = tokens.slice(0, tokens.indexOf(token)).join('')
    this.doc.getText('tokens').delete(before.length, token.length)
  }
}

export class DiptychWriter extends ChaosWriter {
  readonly window: OpenDocument
  readonly doc: Y.Doc

  constructor(name: string, random: SeededRandom, window: OpenDocument, maxPauseMs?: number) {
    super(name, random, maxPauseMs)
    this.window = window
    this.doc = window.doc
  }

  waitUntilSynced(): Promise<void> {
    return this.window.whenSynced
  }

  protected override whenSaved(): Promise<void> {
    return this.window.whenSaved()
  }

  close(): Promise<void> {
    return this.window.close()
  }
}

/** Uses the provider of the y-websocket package. */
class YWebsocketWriter extends ChaosWriter {
  readonly doc: Y.Doc
  readonly #client: StockConnection

  constructor(name: string, random: SeededRandom, origin: string, document: SharedDocument) {
    super(name, random)
    this.#client = openStockConnection(origin, document)
    this.doc = this.#client.provider.doc
  }

  async waitUntilSynced(): Promise<void> {
    while (!this.#client.provider.synced) await pause(10)
  }

  protected override whenSaved(): Promise<void> {
    return new Promise(() => {})
  }

  async close(): Promise<void> {
    this.#client.close()
  }
}

type ServerOrigins = Readonly<Record<Scheme, string>>

export interface DiptychWritersOptions {
  /** One letter for each writer. */
  readonly names?: string
  readonly thinkingMs?: number
}

export function createDiptychWriters(
  origins: ServerOrigins,
  document: SharedDocument,
  createRandom: (name: string) => SeededRandom,
  routes: readonly TransportRoute[],
  { names = 'abcdefghijklmnop', thinkingMs: maxPauseMs }: DiptychWritersOptions = {},
): DiptychWriter[] {
  return routes.map(({ transport, scheme }, index) => {
    const name = names.charAt(index)
    const token = document.tokens.editor
    const options = { url: origins[scheme], document: document.id, token, transport, insecure: true }
    return new DiptychWriter(name, createRandom(name), openDocument(options), maxPauseMs)
  })
}

/** Creates one writer on each route, and a stock client. */
export const createFiveWriters = (
  origins: ServerOrigins,
  document: SharedDocument,
  createRandom: (name: string) => SeededRandom,
): ChaosWriter[] => [
  ...createDiptychWriters(origins, document, createRandom, mainRoutes),
  new YWebsocketWriter('s', createRandom('s'), origins.https, document),
]

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
