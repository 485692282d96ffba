/** Questions that wait for their answer, whatever becomes of the link meanwhile. */
import type { Answer } from '../protocol/ask.ts'
import type { CloseReason } from '../protocol/close.ts'
import { describeClose } from '../protocol/close.ts'
import { encodeClientMessage } from '../protocol/message.ts'
import type { Bytes } from '../protocol/wire.ts'

/** The server will not answer. */
export class AskRefused extends Error {
  override readonly name = 'AskRefused'
  readonly reason: CloseReason

  constructor(reason: CloseReason) {
    super(describeClose(reason))
    this.reason = reason
  }
}

interface Waiting {
  readonly message: Bytes
  readonly resolve: (body: Uint8Array) => void
  readonly reject: (error: unknown) => void
}

export class Asks {
  readonly #sayOnce: (message: Bytes) => void
  readonly #waiting = new Map<number, Waiting>()
  #last = 0
  #ended: CloseReason | undefined

  constructor(sayOnce: (message: Bytes) => void) {
    this.#sayOnce = sayOnce
  }

  /** @throws {AskRefused}, and what `signal` was aborted with. */
  ask(about: string, body: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    if (this.#ended) return Promise.reject(new AskRefused(this.#ended))
    const id = ++this.#last
    const message = encodeClientMessage({ type: 'ask', id, about, body })
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    this.#waiting.set(id, { message, resolve, reject })
    const giveUp = (): void => {
      this.#waiting.delete(id)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    this.#sayOnce(message)
    return promise.finally(() => signal?.removeEventListener('abort', giveUp))
  }

  /** On a new link: the server passes over those that it is busy with. */
  again(): void {
    for (const { message } of this.#waiting.values()) this.#sayOnce(message)
  }

  /** One that nobody waits for any more is passed over. */
  heard({ id, outcome }: Answer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if ('body' in outcome) waiting?.resolve(outcome.body)
    else waiting?.reject(new AskRefused(outcome.refused))
  }

  end(reason: CloseReason): void {
    this.#ended = reason
    for (const { reject } of this.#waiting.values()) reject(new AskRefused(reason))
    this.#waiting.clear()
  }
}
