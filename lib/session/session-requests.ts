/** Requests that wait for their response, whatever happens to the link meanwhile. */
import type { ResponseMessage } from '../protocol/request-messages.ts'
import type { CloseReason } from '../protocol/close.ts'
import { describeClose } from '../protocol/close.ts'
import { encodeClientMessage } from '../protocol/message.ts'
import type { Bytes } from '../protocol/wire.ts'

/** The server responded with a refusal, or the session has ended. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
  readonly reason: CloseReason

  constructor(reason: CloseReason) {
    super(describeClose(reason))
    this.reason = reason
  }
}

interface PendingRequest {
  readonly message: Bytes
  readonly resolve: (body: Uint8Array) => void
  readonly reject: (error: unknown) => void
}

export class SessionRequests {
  readonly #sendUnnumbered: (message: Bytes) => void
  readonly #pending = new Map<number, PendingRequest>()
  #lastId = 0
  #endReason: CloseReason | undefined

  constructor(sendUnnumbered: (message: Bytes) => void) {
    this.#sendUnnumbered = sendUnnumbered
  }

  /** @throws {RequestRefused}, and what `signal` was aborted with. */
  send(method: string, parameters: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    if (this.#endReason) return Promise.reject(new RequestRefused(this.#endReason))
    const id = ++this.#lastId
    const message = encodeClientMessage({ type: 'request', id, method, parameters })
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    this.#pending.set(id, { message, resolve, reject })
    const giveUp = (): void => {
      this.#pending.delete(id)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    this.#sendUnnumbered(message)
    return promise.finally(() => signal?.removeEventListener('abort', giveUp))
  }

  /** Sends all pending requests on a new link. The server ignores those that it is working on. */
  resendAll(): void {
    for (const { message } of this.#pending.values()) this.#sendUnnumbered(message)
  }

  /** Ignores a response that nobody waits for any more. */
  onResponse({ id, outcome }: ResponseMessage): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if ('body' in outcome) pending?.resolve(outcome.body)
    else pending?.reject(new RequestRefused(outcome.refused))
  }

  rejectAll(reason: CloseReason): void {
    this.#endReason = reason
    for (const { reject } of this.#pending.values()) reject(new RequestRefused(reason))
    this.#pending.clear()
  }
}
