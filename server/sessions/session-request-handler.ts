/** Answers or refuses each request of one session once, up to a number at a time. Does not know any method. */
import type { ResponseMessage, RequestMessage } from '../../lib/protocol/request-messages.ts'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'

/** The most requests that one session may have open at once. */
const MAX_REQUESTS = 100

export interface SessionRequest {
  readonly method: string
  readonly parameters: Uint8Array
  readonly principal: Principal
  /** Aborted when nobody waits for the response any more. */
  readonly signal: AbortSignal
}

/** Resolves to the body of the response, or to null for a method that it does not know. @throws {RequestRefusal} */
export type RequestResponder = (request: SessionRequest) => Promise<Uint8Array | null>

export class RequestRefusal extends Error {
  override readonly name = 'RequestRefusal'
  readonly reason: CloseReason

  constructor(reason: CloseReason) {
    super(reason.detail)
    this.reason = reason
  }
}

export interface RequestHandlerOptions {
  readonly principal: Principal
  readonly respond: RequestResponder
  send(response: ResponseMessage): void
  /** Called for an error that is no refusal. */
  onFailed(error: unknown): void
}

export class SessionRequestHandler {
  readonly #options: RequestHandlerOptions
  readonly #openIds = new Set<number>()
  readonly #abortController = new AbortController()

  constructor(options: RequestHandlerOptions) {
    this.#options = options
  }

  receive({ id, method, parameters }: RequestMessage): void {
    if (this.#openIds.has(id)) return // the client repeats its request on another link
    if (this.#openIds.size >= MAX_REQUESTS)
      return this.refuse(id, { code: 'overloaded', detail: serverRefusalsStrings.request.many(MAX_REQUESTS) })
    this.#openIds.add(id)
    // The parameters are copied, so that their frame is not kept in memory until the response.
    void this.#respond(id, method, new Uint8Array(parameters))
  }

  abort(): void {
    this.#abortController.abort()
  }

  async #respond(id: number, method: string, parameters: Uint8Array): Promise<void> {
    const { principal, respond } = this.#options
    const { signal } = this.#abortController
    try {
      const body = await respond({ method, parameters, principal, signal })
      if (body) this.#send({ type: 'response', id, outcome: { body } })
      else
        this.refuse(id, {
          code: 'not-offered',
          detail: serverRefusalsStrings.request.unknown(method.slice(0, 100)),
        })
    } catch (error) {
      if (!(error instanceof RequestRefusal) && !signal.aborted) this.#options.onFailed(error)
      this.refuse(id, error instanceof RequestRefusal ? error.reason : { code: 'overloaded' })
    } finally {
      this.#openIds.delete(id)
    }
  }

  refuse(id: number, reason: CloseReason): void {
    this.#send({ type: 'response', id, outcome: { refused: reason } })
  }

  #send(response: ResponseMessage): void {
    if (!this.#abortController.signal.aborted) this.#options.send(response)
  }
}
