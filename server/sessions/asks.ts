/** Questions inside one session: each answered once or refused, so many at a time. Does not know what they are about. */
import type { Answer, Ask } from '../../lib/protocol/ask.ts'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'

/** At once, in one session. */
const MAX_ASKS = 100

export interface Question {
  readonly about: string
  readonly body: Uint8Array
  readonly principal: Principal
  /** Nobody waits any more. */
  readonly signal: AbortSignal
}

/** Null where it knows nothing about that. @throws {AskRefusal} */
export type Answering = (question: Question) => Promise<Uint8Array | null>

export class AskRefusal extends Error {
  override readonly name = 'AskRefusal'
  readonly reason: CloseReason

  constructor(reason: CloseReason) {
    super(reason.detail)
    this.reason = reason
  }
}

export interface AsksParts {
  readonly principal: Principal
  readonly answering: Answering
  say(answer: Answer): void
  /** Something that was no refusal. */
  onFailed(error: unknown): void
}

export class Asks {
  readonly #parts: AsksParts
  readonly #busyWith = new Set<number>()
  readonly #end = new AbortController()

  constructor(parts: AsksParts) {
    this.#parts = parts
  }

  hear({ id, about, body }: Ask): void {
    if (this.#busyWith.has(id)) return // asked again on another link
    if (this.#busyWith.size >= MAX_ASKS)
      return this.#refuse(id, { code: 'overloaded', detail: strings.question.many(MAX_ASKS) })
    this.#busyWith.add(id)
    // The frame that it came in is not kept for as long as the answer takes.
    void this.#answer(id, about, new Uint8Array(body))
  }

  end(): void {
    this.#end.abort()
  }

  async #answer(id: number, about: string, body: Uint8Array): Promise<void> {
    const { principal, answering } = this.#parts
    const { signal } = this.#end
    try {
      const answer = await answering({ about, body, principal, signal })
      if (answer) this.#say({ type: 'answer', id, outcome: { body: answer } })
      else this.#refuse(id, { code: 'not-offered', detail: strings.question.unknown(about.slice(0, 100)) })
    } catch (error) {
      if (!(error instanceof AskRefusal) && !signal.aborted) this.#parts.onFailed(error)
      this.#refuse(id, error instanceof AskRefusal ? error.reason : { code: 'overloaded' })
    } finally {
      this.#busyWith.delete(id)
    }
  }

  #refuse(id: number, reason: CloseReason): void {
    this.#say({ type: 'answer', id, outcome: { refused: reason } })
  }

  #say(answer: Answer): void {
    if (!this.#end.signal.aborted) this.#parts.say(answer)
  }
}
