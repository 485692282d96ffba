/** Five who write at the same places without rest, each over a way of its own, and note what was acknowledged. */
import type * as Y from 'yjs'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { type Scheme, type SharedDocument, type Way, ways } from '../../server/fixtures/real-server.ts'
import { type Fate, tokensOf } from './oracle.ts'
import type { Random } from './random.ts'
import { type StockClient, stockClient } from './stock.ts'

const THINKING_MS = 30
/** A writer that waits for its acknowledgement gives up by then: offline, people type on. */
const PATIENCE_MS = 80

export abstract class Writer {
  readonly name: string
  readonly ledger = new Map<string, Fate>()
  abstract readonly doc: Y.Doc
  readonly #random: Random
  readonly #thinkingMs: number
  #count = 0
  #writing: Promise<void> | null = null

  /** @param thinkingMs The longest pause between two edits. */
  constructor(name: string, random: Random, thinkingMs = THINKING_MS) {
    this.name = name
    this.#random = random
    this.#thinkingMs = thinkingMs
  }

  /** Resolves once it has the server's text. */
  abstract ready(): Promise<void>
  /** Resolves when all that was said so far is on disk; never, where the protocol has no acknowledgement. */
  protected abstract whenSaved(): Promise<void>
  abstract close(): Promise<void>

  get acknowledged(): number {
    return [...this.ledger.values()].filter((fate) => fate === 'saved' || fate === 'deleted').length
  }

  start(stop: AbortSignal): void {
    this.#writing = this.#write(stop)
    this.#writing.catch(() => {}) // heard by `stopped`
  }

  /** Resolves when it has written its last; rejects with what went wrong meanwhile. */
  async stopped(): Promise<void> {
    await this.#writing
  }

  /** Everything said so far is acknowledged, and noted so. */
  async acknowledge(): Promise<void> {
    const said = [...this.ledger]
    await this.whenSaved()
    for (const [token, fate] of said) {
      if (fate === 'said' && this.ledger.get(token) === 'said') this.ledger.set(token, 'saved')
      if (fate === 'deleting') this.ledger.set(token, 'deleted')
    }
  }

  async #write(stop: AbortSignal): Promise<void> {
    let failure: Error | undefined
    while (!stop.aborted && failure === undefined) {
      if (this.#random.next() < 0.1) this.#delete()
      else this.insert()
      const acknowledged = this.acknowledge().catch((error: Error) => void (failure = error))
      await pause(this.#random.between(0, this.#thinkingMs))
      if (this.#random.next() < 0.5) await Promise.race([acknowledged, pause(PATIENCE_MS)])
    }
    if (failure !== undefined)
      throw new Error(`${this.name} cannot go on: ${failure.message}`, { cause: failure })
  }

  /** Behind its own last token, so that its order can be told: right there, at the end, or in between. */
  insert(): void {
    const tokens = tokensOf(this.doc)
    const last = tokens.findLastIndex((token) => this.ledger.has(token)) + 1
    const place = this.#random.pick([last, tokens.length, this.#random.between(last, tokens.length)])
    const token = `${this.name}${++this.#count};`
    this.ledger.set(token, 'said')
    this.doc.getText('tokens').insert(tokens.slice(0, place).join('').length, token)
  }

  #delete(): void {
    const tokens = tokensOf(this.doc)
    const own = tokens.filter((token) => ['said', 'saved'].includes(this.ledger.get(token) ?? ''))
    if (own.length === 0) return
    const token = this.#random.pick(own)
    this.ledger.set(token, 'deleting')
    const before = tokens.slice(0, tokens.indexOf(token)).join('')
    this.doc.getText('tokens').delete(before.length, token.length)
  }
}

export class OurWriter extends Writer {
  readonly window: OpenDocument
  readonly doc: Y.Doc

  constructor(name: string, random: Random, window: OpenDocument, thinkingMs?: number) {
    super(name, random, thinkingMs)
    this.window = window
    this.doc = window.doc
  }

  ready(): Promise<void> {
    return this.window.whenSynced
  }

  protected override whenSaved(): Promise<void> {
    return this.window.whenSaved()
  }

  close(): Promise<void> {
    return this.window.close()
  }
}

/** The provider of the y-websocket package. */
class StockWriter extends Writer {
  readonly doc: Y.Doc
  readonly #client: StockClient

  constructor(name: string, random: Random, origin: string, document: SharedDocument) {
    super(name, random)
    this.#client = stockClient(origin, document)
    this.doc = this.#client.provider.doc
  }

  async ready(): Promise<void> {
    while (!this.#client.provider.synced) await pause(10)
  }

  protected override whenSaved(): Promise<void> {
    return new Promise(() => {})
  }

  async close(): Promise<void> {
    this.#client.close()
  }
}

type Origins = Readonly<Record<Scheme, string>>

export interface OurWritersOptions {
  /** A letter each. */
  readonly names?: string
  readonly thinkingMs?: number
}

export function ourWriters(
  origins: Origins,
  document: SharedDocument,
  random: (name: string) => Random,
  ways: readonly Way[],
  { names = 'abcdefghijklmnop', thinkingMs }: OurWritersOptions = {},
): OurWriter[] {
  return ways.map(({ transport, scheme }, index) => {
    const name = names.charAt(index)
    const token = document.tokens.editor
    const options = { url: origins[scheme], document: document.id, token, transport, insecure: true }
    return new OurWriter(name, random(name), openDocument(options), thinkingMs)
  })
}

/** One on each way, and a stock client. */
export const fiveWriters = (
  origins: Origins,
  document: SharedDocument,
  random: (name: string) => Random,
): Writer[] => [
  ...ourWriters(origins, document, random, ways),
  new StockWriter('s', random('s'), origins.https, document),
]

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
