/** Answers or refuses each request of one session once, up to a number at a time. Does not know what the requests are about. */
import type { AnswerMessage, RequestMessage } from '../../lib/protocol/request-messages.ts'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'

/** The most requests that one session may have open at once. */
const MAX_REQUESTS = 100

export interface SessionRequest {
  readonly about: string
  readonly body: Uint8Array
  readonly principal: Principal
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** Resolves to null for a subject that it does not know. @throws {RequestRefusal} */
export type RequestResponder = (request: SessionRequest) => Promise<Uint8Array | null>

export class RequestRefusal extends Error {
  override readonly name = 'AskRefusal'
  readonly reason: CloseReason

  constructor(reason: CloseReason) {
    super(reason.detail)
    this.reason = reason
  }
}

export interface RequestHandlerOptions {
  readonly principal: Principal
  readonly respond: RequestResponder
  send(answer: AnswerMessage): void
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

  receive({ id, about, body }: RequestMessage): void {
    if (this.#openIds.has(id)) return // the client repeats its request on another link
    if (this.#openIds.size >= MAX_REQUESTS)
      return this.#refuse(id, { code: 'overloaded', detail: strings.request.many(MAX_REQUESTS) })
    this.#openIds.add(id)
    // The body is copied, so that its frame is not kept in memory until the answer.
    void this.#answer(id, about, new Uint8Array(body))
  }

  abort(): void {
    this.#abortController.abort()
  }

  async #answer(id: number, about: string, body: Uint8Array): Promise<void> {
    const { principal, respond } = this.#options
    const { signal } = this.#abortController
    try {
      const answer = await respond({ about, body, principal, signal })
      if (answer) this.#send({ type: 'answer', id, outcome: { body: answer } })
      else this.#refuse(id, { code: 'not-offered', detail: strings.request.unknown(about.slice(0, 100)) })
    } catch (error) {
      if (!(error instanceof RequestRefusal) && !signal.aborted) this.#options.onFailed(error)
      this.#refuse(id, error instanceof RequestRefusal ? error.reason : { code: 'overloaded' })
    } finally {
      this.#openIds.delete(id)
    }
  }

  #refuse(id: number, reason: CloseReason): void {
    this.#send({ type: 'answer', id, outcome: { refused: reason } })
  }

  #send(answer: AnswerMessage): void {
    if (!this.#abortController.signal.aborted) this.#options.send(answer)
  }
}
