/**
 * The server end of one polled link: frames wait, counted, until the client's cursor says that they came.
 *
 *   base ≤ cursor ≤ answered    frames up to `base` came; those up to `answered` were given at least once
 */
import type { Writable } from 'node:stream'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { LinkKey } from '../../lib/protocol/link-key.ts'
import { encodeControl, encodeRecords, recordBytes } from '../../lib/protocol/records.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { realClock } from '../../lib/session/clock.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { HANDED, HIGH_WATER_BYTES, LinkEnd, type Wire } from '../../lib/transports/link.ts'
import type { LinkInfo, TransportId } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'
import { answerBytes, isGone } from '../answer.ts'
import { AnswerSize } from './answer-size.ts'
import type { GatewayResponse } from './gateway.ts'
import type { HttpLink, HttpLinks } from './http-links.ts'
import { answerNothing } from './refusals.ts'

export interface Polling {
  readonly transport: TransportId
  /** How long a poll may be kept waiting here at most. */
  readonly patienceMs: number
  /** How long a link lives that nobody polls. */
  readonly lifeMs: number
}

interface Parked {
  readonly cursor: number
  readonly response: GatewayResponse
  readonly timer: NodeJS.Timeout
}

/** Kept for the last poll of a link that this side ended. */
const MAX_LEFT_BYTES = 4 * 1024 * 1024

const upRecord = encodeControl({ type: 'up' })

export class PolledLink implements HttpLink, Wire {
  readonly link = new LinkEnd(this)
  readonly key: LinkKey
  readonly credential: string
  readonly #links: HttpLinks
  readonly #polling: Polling
  readonly #protocol: string
  #kept: Uint8Array[] = []
  #keptBytes = 0
  #base = 0
  #answered = 0
  #room: PromiseWithResolvers<void> | undefined
  #up: LinkInfo['up'] = 'batched posts'
  #upUntold = false
  /** The close that the client was not told yet. */
  #last: CloseReason | undefined
  #parked: Parked | undefined
  #answering = false
  readonly #size = new AnswerSize()
  /** When an answer was given that left something for the next. */
  #filledAt: number | undefined
  #life: NodeJS.Timeout | undefined

  constructor(principal: Principal, links: HttpLinks, polling: Polling, protocol: string) {
    this.credential = principal.credential
    this.#links = links
    this.#polling = polling
    this.#protocol = protocol
    this.key = links.add(this)
    this.#startLife()
  }

  // As the requests see it

  get closed(): boolean {
    return this.link.closed
  }

  receive(frame: Uint8Array<ArrayBuffer>): void {
    this.link.receive(frame)
  }

  ended(reason: CloseReason): void {
    this.link.ended(reason)
  }

  fail(reason: CloseReason): void {
    this.link.close(reason)
  }

  streamed(attached: boolean): void {
    this.#up = attached ? 'streamed body' : 'batched posts'
    this.#upUntold = attached
    if (attached) this.#answerSoon()
  }

  next(cursor: number, patienceMs: number, response: GatewayResponse): void {
    if (cursor > this.#answered) throw this.#fromTheFuture(cursor)
    // What the network repeats long after it was answered: nobody waits for it.
    if (cursor < this.#base) return answerNothing(response)
    this.#confirm(cursor)
    this.#measure(cursor)
    this.#relieve()
    const patience = Math.min(patienceMs, this.#polling.patienceMs)
    this.#park(cursor, patience, response)
    if (this.#hasNews(cursor) || patience === 0) this.#answer()
  }

  // As the link's wire

  get info(): LinkInfo {
    return { transport: this.#polling.transport, protocol: this.#protocol, up: this.#up }
  }

  write(frame: Uint8Array): Promise<void> {
    this.#kept.push(frame)
    this.#keptBytes += recordBytes(frame)
    this.#answerSoon()
    if (this.#keptBytes <= HIGH_WATER_BYTES) return HANDED
    return (this.#room ??= Promise.withResolvers()).promise
  }

  /**
   * Where this side ends it, the client is told by its next poll. What it is very far behind with is not kept until then, and what is
   * kept counts as not taken, so that links which end one after the other hold no more than open ones may.
   */
  end(reason: CloseReason, side: 'here' | 'there'): void {
    if (reason.code === 'overloaded' || this.#keptBytes > MAX_LEFT_BYTES) this.#dropKept()
    if (side === 'here') {
      this.#last = reason
      if (this.#kept.length === 0) this.#room?.resolve()
      return this.#answerSoon()
    }
    this.#relieve()
    this.#forget()
  }

  #dropKept(): void {
    this.#kept = []
    this.#keptBytes = 0
  }

  #fromTheFuture(cursor: number): ProtocolError {
    const detail = strings.link.futureCursor(cursor, this.#answered)
    // Not `bad-message`, which would stop a client for good: a network that repeats an answer's data makes an honest one count so.
    const error = new ProtocolError('lost', detail)
    this.link.close(error.reason)
    this.#forget()
    return error
  }

  #measure(cursor: number): void {
    if (this.#filledAt === undefined || cursor < this.#answered) return
    this.#size.tookMs(realClock.now() - this.#filledAt)
    this.#filledAt = undefined
  }

  #confirm(cursor: number): void {
    for (const frame of this.#kept.splice(0, cursor - this.#base)) this.#keptBytes -= recordBytes(frame)
    this.#base = cursor
    if (this.#keptBytes > HIGH_WATER_BYTES) return
    this.#room?.resolve()
    this.#room = undefined
  }

  #park(cursor: number, patienceMs: number, response: GatewayResponse): void {
    clearTimeout(this.#life)
    const timer = setTimeout(() => this.#relieve(), patienceMs)
    this.#parked = { cursor, response, timer }
    const out: Writable = response
    out.once('close', () => {
      if (this.#parked?.response === response) this.#unpark()
    })
  }

  #unpark(): Parked | undefined {
    const parked = this.#parked
    this.#parked = undefined
    clearTimeout(parked?.timer)
    if (parked) this.#startLife()
    return parked
  }

  #relieve(): void {
    const parked = this.#unpark()
    if (parked) answerNothing(parked.response)
  }

  #hasNews(cursor: number): boolean {
    return this.#upUntold || this.#last !== undefined || this.#base + this.#kept.length > cursor
  }

  /** What one turn of the loop says shares an answer. */
  #answerSoon(): void {
    if (this.#answering || !this.#parked) return
    this.#answering = true
    process.nextTick(() => {
      this.#answering = false
      this.#answer()
    })
  }

  #answer(): void {
    const parked = this.#unpark()
    if (!parked || isGone(parked.response)) return
    const { cursor, response } = parked
    if (!this.#hasNews(cursor)) return answerNothing(response)
    const frames = this.#batch(cursor)
    this.#answered = Math.max(this.#answered, cursor + frames.length)
    const all = this.#base + this.#kept.length === cursor + frames.length
    this.#filledAt = all ? undefined : realClock.now()
    const last = all ? this.#last : undefined
    answerBytes(
      response,
      encodeRecords(frames, {
        ...(this.#upUntold && { before: upRecord }),
        ...(last && { after: encodeControl({ type: 'close', reason: last }) }),
      }),
    )
    this.#upUntold = false
    if (last) this.#forget()
  }

  /** Of what came after the cursor, as much as one answer takes, at least one. */
  #batch(cursor: number): Uint8Array[] {
    const frames: Uint8Array[] = []
    let bytes = 0
    for (const frame of this.#kept.slice(cursor - this.#base)) {
      bytes += recordBytes(frame)
      if (frames.length > 0 && bytes > this.#size.limit) break
      frames.push(frame)
    }
    return frames
  }

  #startLife(): void {
    clearTimeout(this.#life)
    const { lifeMs } = this.#polling
    this.#life = setTimeout(() => {
      this.link.ended({ code: 'lost', detail: strings.link.noPoll(lifeMs / 1000) })
      this.#forget()
    }, lifeMs).unref()
  }

  #forget(): void {
    this.#room?.resolve()
    clearTimeout(this.#life)
    this.#links.forget(this.key)
  }
}
