/**
 * The server end of one polled link: numbered frames wait until the client's cursor acknowledges them.
 *
 *   acknowledged ≤ cursor ≤ sent    frames up to `acknowledged` arrived; those up to `sent` were sent at least once
 */
import type { Writable } from 'node:stream'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { LinkKey } from '../../lib/protocol/link-key.ts'
import { encodeControl, encodeRecords, recordByteLength } from '../../lib/protocol/records.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { realClock } from '../../lib/session/clock.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { SENT, HIGH_WATER_BYTES, LinkEnd, type LinkDriver } from '../../lib/transports/link.ts'
import type { LinkInfo, TransportId } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'
import { answerBytes, isClientGone } from '../http-answers.ts'
import { PollAnswerSize } from './poll-answer-size.ts'
import type { GatewayResponse } from './gateway-request.ts'
import type { HttpLink, HttpLinks } from './http-links.ts'
import { answerNoContent } from './http-refusals.ts'
import { startTimeout } from '../timeouts.ts'
import type { PollTiming } from './transport-gateway.ts'

export interface PolledLinkOptions extends PollTiming {
  readonly transport: TransportId
}

interface WaitingPoll {
  readonly cursor: number
  readonly response: GatewayResponse
  cancelTimeout(): void
}

/** How much is kept for the last poll of a link that this side ended. */
const MAX_QUEUE_BYTES_AFTER_CLOSE = 4 * 1024 * 1024

const streamedBodyNotice = encodeControl({ type: 'up' })

export class PolledLink implements HttpLink, LinkDriver {
  readonly link = new LinkEnd(this)
  readonly key: LinkKey
  readonly credential: string
  readonly #links: HttpLinks
  readonly #options: PolledLinkOptions
  readonly #protocol: string
  #sendQueue: Uint8Array[] = []
  #sendQueueBytes = 0
  #acknowledgedCount = 0
  #sentCount = 0
  #queueDrained: PromiseWithResolvers<void> | undefined
  #upMode: LinkInfo['up'] = 'batched posts'
  #isUpNoticePending = false
  /** The close reason that was not sent yet. */
  #pendingClose: CloseReason | undefined
  #waitingPoll: WaitingPoll | undefined
  #isAnswerScheduled = false
  readonly #answerSize = new PollAnswerSize()
  /** The time of the latest answer, if it left frames for the next one. */
  #partialAnswerAt: number | undefined
  #cancelUnpolledTimeout = (): void => {}

  constructor(principal: Principal, links: HttpLinks, options: PolledLinkOptions, protocol: string) {
    this.credential = principal.credential
    this.#links = links
    this.#options = options
    this.#protocol = protocol
    this.key = links.add(this)
    this.#startUnpolledTimeout()
  }

  // HttpLink: called by requests

  get closed(): boolean {
    return this.link.closed
  }

  receive(frame: Uint8Array<ArrayBuffer>): void {
    this.link.receive(frame)
  }

  onEnded(reason: CloseReason): void {
    this.link.onEnded(reason)
  }

  fail(reason: CloseReason): void {
    this.link.close(reason)
  }

  setStreamedBody(attached: boolean): void {
    this.#upMode = attached ? 'streamed body' : 'batched posts'
    this.#isUpNoticePending = attached
    if (attached) this.#scheduleAnswer()
  }

  answerPoll(cursor: number, holdMs: number, response: GatewayResponse): void {
    if (cursor > this.#sentCount) throw this.#refuseFutureCursor(cursor)
    // The network repeated an old poll: nobody waits for its answer.
    if (cursor < this.#acknowledgedCount) return answerNoContent(response)
    this.#acknowledge(cursor)
    this.#measurePollTime(cursor)
    this.#answerWaitingPoll()
    const cappedHoldMs = Math.min(holdMs, this.#options.maxHoldMs)
    this.#holdPoll(cursor, cappedHoldMs, response)
    if (this.#hasDataFor(cursor) || cappedHoldMs === 0) this.#answer()
  }

  // LinkDriver: called by the link

  get info(): LinkInfo {
    return { transport: this.#options.transport, protocol: this.#protocol, up: this.#upMode }
  }

  write(frame: Uint8Array): Promise<void> {
    this.#sendQueue.push(frame)
    this.#sendQueueBytes += recordByteLength(frame)
    this.#scheduleAnswer()
    if (this.#sendQueueBytes <= HIGH_WATER_BYTES) return SENT
    return (this.#queueDrained ??= Promise.withResolvers()).promise
  }

  /**
   * If this side ends the link, the next poll gets the reason. A very long send queue is not kept until then, and a kept one counts
   * as not taken, so that links which end one after the other hold no more than open ones may.
   */
  end(reason: CloseReason, side: 'here' | 'there'): void {
    if (reason.code === 'overloaded' || this.#sendQueueBytes > MAX_QUEUE_BYTES_AFTER_CLOSE)
      this.#clearSendQueue()
    if (side === 'here') {
      this.#pendingClose = reason
      if (this.#sendQueue.length === 0) this.#queueDrained?.resolve()
      return this.#scheduleAnswer()
    }
    this.#answerWaitingPoll()
    this.#forget()
  }

  #clearSendQueue(): void {
    this.#sendQueue = []
    this.#sendQueueBytes = 0
  }

  #refuseFutureCursor(cursor: number): ProtocolError {
    const detail = serverRefusalsStrings.link.futureCursor(cursor, this.#sentCount)
    // Not `bad-message`, which would stop the client: an honest one counts too far if the network repeats an answer's data.
    const error = new ProtocolError('lost', detail)
    this.link.close(error.reason)
    this.#forget()
    return error
  }

  #measurePollTime(cursor: number): void {
    if (this.#partialAnswerAt === undefined || cursor < this.#sentCount) return
    this.#answerSize.onNextPoll(realClock.now() - this.#partialAnswerAt)
    this.#partialAnswerAt = undefined
  }

  #acknowledge(cursor: number): void {
    for (const frame of this.#sendQueue.splice(0, cursor - this.#acknowledgedCount))
      this.#sendQueueBytes -= recordByteLength(frame)
    this.#acknowledgedCount = cursor
    if (this.#sendQueueBytes > HIGH_WATER_BYTES) return
    this.#queueDrained?.resolve()
    this.#queueDrained = undefined
  }

  #holdPoll(cursor: number, holdMs: number, response: GatewayResponse): void {
    this.#cancelUnpolledTimeout()
    const cancelTimeout = startTimeout(holdMs, () => this.#answerWaitingPoll())
    this.#waitingPoll = { cursor, response, cancelTimeout }
    const out: Writable = response
    out.once('close', () => {
      if (this.#waitingPoll?.response === response) this.#takeWaitingPoll()
    })
  }

  #takeWaitingPoll(): WaitingPoll | undefined {
    const waitingPoll = this.#waitingPoll
    this.#waitingPoll = undefined
    waitingPoll?.cancelTimeout()
    if (waitingPoll) this.#startUnpolledTimeout()
    return waitingPoll
  }

  #answerWaitingPoll(): void {
    const waitingPoll = this.#takeWaitingPoll()
    if (waitingPoll) answerNoContent(waitingPoll.response)
  }

  #hasDataFor(cursor: number): boolean {
    return (
      this.#isUpNoticePending ||
      this.#pendingClose !== undefined ||
      this.#acknowledgedCount + this.#sendQueue.length > cursor
    )
  }

  /** Puts all frames of one turn of the event loop into one answer. */
  #scheduleAnswer(): void {
    if (this.#isAnswerScheduled || !this.#waitingPoll) return
    this.#isAnswerScheduled = true
    process.nextTick(() => {
      this.#isAnswerScheduled = false
      this.#answer()
    })
  }

  #answer(): void {
    const waitingPoll = this.#takeWaitingPoll()
    if (!waitingPoll || isClientGone(waitingPoll.response)) return
    const { cursor, response } = waitingPoll
    if (!this.#hasDataFor(cursor)) return answerNoContent(response)
    const frames = this.#nextBatch(cursor)
    this.#sentCount = Math.max(this.#sentCount, cursor + frames.length)
    const isAll = this.#acknowledgedCount + this.#sendQueue.length === cursor + frames.length
    this.#partialAnswerAt = isAll ? undefined : realClock.now()
    const closeReason = isAll ? this.#pendingClose : undefined
    answerBytes(
      response,
      encodeRecords(frames, {
        ...(this.#isUpNoticePending && { before: streamedBodyNotice }),
        ...(closeReason && { after: encodeControl({ type: 'close', reason: closeReason }) }),
      }),
    )
    this.#isUpNoticePending = false
    if (closeReason) this.#forget()
  }

  /** Returns as many frames after the cursor as one answer takes, but at least one. */
  #nextBatch(cursor: number): Uint8Array[] {
    const frames: Uint8Array[] = []
    let bytes = 0
    for (const frame of this.#sendQueue.slice(cursor - this.#acknowledgedCount)) {
      bytes += recordByteLength(frame)
      if (frames.length > 0 && bytes > this.#answerSize.limitBytes) break
      frames.push(frame)
    }
    return frames
  }

  #startUnpolledTimeout(): void {
    this.#cancelUnpolledTimeout()
    const { unpolledTimeoutMs } = this.#options
    this.#cancelUnpolledTimeout = startTimeout(unpolledTimeoutMs, () => {
      this.link.onEnded({ code: 'lost', detail: serverRefusalsStrings.link.noPoll(unpolledTimeoutMs / 1000) })
      this.#forget()
    })
  }

  #forget(): void {
    this.#queueDrained?.resolve()
    this.#cancelUnpolledTimeout()
    this.#links.forget(this.key)
  }
}
