/** Questions inside one session: each answered once or refused, so many at a time. Does not know what they are about. */
import type { AnswerMessage, RequestMessage } from '../../lib/protocol/request-messages.ts'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'

/** At once, in one session. */
const MAX_REQUESTS = 100

export interface SessionRequest {
  readonly about: string
  readonly body: Uint8Array
  readonly principal: Principal
  /** Nobody waits any more. */
  readonly signal: AbortSignal
}

/** Null where it knows nothing about that. @throws {RequestRefusal} */
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
  /** Something that was no refusal. */
  onFailed(error: unknown): void
}

export class RequestHandler {
  readonly #parts: RequestHandlerOptions
  readonly #busyWith = new Set<number>()
  readonly #end = new AbortController()

  constructor(options: RequestHandlerOptions) {
    this.#parts = options
  }

  receive({ id, about, body }: RequestMessage): void {
    if (this.#busyWith.has(id)) return // asked again on another link
    if (this.#busyWith.size >= MAX_REQUESTS)
      return this.#refuse(id, { code: 'overloaded', detail: strings.request.many(MAX_REQUESTS) })
    this.#busyWith.add(id)
    // The frame that it came in is not kept for as long as the answer takes.
    void this.#answer(id, about, new Uint8Array(body))
  }

  abort(): void {
    this.#end.abort()
  }

  async #answer(id: number, about: string, body: Uint8Array): Promise<void> {
    const { principal, respond } = this.#parts
    const { signal } = this.#end
    try {
      const answer = await respond({ about, body, principal, signal })
      if (answer) this.#say({ type: 'answer', id, outcome: { body: answer } })
      else this.#refuse(id, { code: 'not-offered', detail: strings.request.unknown(about.slice(0, 100)) })
    } catch (error) {
      if (!(error instanceof RequestRefusal) && !signal.aborted) this.#parts.onFailed(error)
      this.#refuse(id, error instanceof RequestRefusal ? error.reason : { code: 'overloaded' })
    } finally {
      this.#busyWith.delete(id)
    }
  }

  #refuse(id: number, reason: CloseReason): void {
    this.#say({ type: 'answer', id, outcome: { refused: reason } })
  }

  #say(answer: AnswerMessage): void {
    if (!this.#end.signal.aborted) this.#parts.send(answer)
  }
}
