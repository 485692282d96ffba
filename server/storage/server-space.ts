/**
 * Whether the server itself has room: the bytes stored for all people, against their limit, and what is free on the disk, against the
 * reserve that is kept so that the store never meets a full disk with everybody's unsaved edits. Both are read now and then; what is
 * written in between is added.
 */
import { statfs } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { AdminSpace } from '../../lib/protocol/admin.ts'
import { readAllBytes } from '../store/document-sizes.ts'
import type { Database } from '../store/schema.ts'
import { startTimeout } from '../timeouts.ts'

const FREE_INTERVAL_MS = 5_000
/** The sum reads a row for each part of each document, so it takes a thousandth of the time at most. */
const SUM_INTERVAL_MS = 60_000
const SUM_PAUSE_FACTOR = 1_000

export interface ServerSpaceOptions {
  readonly db: Kysely<Database>
  readonly log: Logger
  /** The most bytes stored for all people; null for no limit. */
  readonly limitBytes: number | null
  /** How many bytes of the disk stay free; null where nothing is reserved, or the disk is another computer's. */
  readonly reservedBytes: number | null
  readFreeBytes(): Promise<number>
}

export const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export class ServerSpace {
  readonly #options: ServerSpaceOptions
  #freeBytes = Infinity
  #usedBytes = 0
  #isClosed = false
  readonly #cancels = new Set<() => void>()

  constructor(options: ServerSpaceOptions) {
    this.#options = options
  }

  /** As they were read last, with what was written since. */
  get figures(): Omit<AdminSpace, 'personLimitBytes'> {
    const { limitBytes, reservedBytes } = this.#options
    const freeBytes = Number.isFinite(this.#freeBytes) ? this.#freeBytes : null
    return { usedBytes: this.#usedBytes, limitBytes, freeBytes, reservedBytes }
  }

  /** Resolves once the figures are there; from now on they are read again and again. */
  async start(): Promise<void> {
    await Promise.all([
      this.#options.reservedBytes !== null && this.#repeat(FREE_INTERVAL_MS, () => this.#readFree()),
      this.#repeat(SUM_INTERVAL_MS, () => this.#readUsed()),
    ])
  }

  hasRoom(bytes: number): boolean {
    const { limitBytes, reservedBytes } = this.#options
    return (
      this.#freeBytes - bytes >= (reservedBytes ?? 0) && this.#usedBytes + bytes <= (limitBytes ?? Infinity)
    )
  }

  /** @param bytes Negative for what is not written after all. */
  add(bytes: number): void {
    this.#usedBytes += bytes
    this.#freeBytes -= bytes
  }

  close(): void {
    this.#isClosed = true
    for (const cancel of this.#cancels) cancel()
    this.#cancels.clear()
  }

  async #readFree(): Promise<void> {
    this.#freeBytes = await this.#options.readFreeBytes()
  }

  async #readUsed(): Promise<void> {
    this.#usedBytes = await readAllBytes(this.#options.db)
  }

  async #repeat(ms: number, read: () => Promise<void>): Promise<void> {
    const startedAt = performance.now()
    await read().catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'the stored bytes are unknown'),
    )
    if (this.#isClosed) return
    const pauseMs = Math.max(ms, (performance.now() - startedAt) * SUM_PAUSE_FACTOR)
    const cancel = startTimeout(pauseMs, () => {
      this.#cancels.delete(cancel)
      void this.#repeat(ms, read)
    })
    this.#cancels.add(cancel)
  }
}
