/**
 * Whether the session's current link lives, both ways: what comes down is the heartbeat's affair, what goes up must be
 * acknowledged. Acts on silence; does not know what is said.
 */
import { encodeClientMessage } from '../protocol/message.ts'
import { strings } from '../strings/transports.ts'
import type { Clock } from './clock.ts'
import { Heartbeat } from './heartbeat.ts'
import type { Links } from './links.ts'
import type { LiveLink } from './live-link.ts'
import { answerMs } from './patience.ts'
import { UploadWatch } from './upload-watch.ts'

export interface VitalsOptions {
  readonly clock: Clock
  readonly links: Links
  readonly outbox: { readonly last: number; readonly bytes: number }
  onMeasured(): void
}

export class Vitals {
  readonly #options: VitalsOptions
  readonly #heartbeat: Heartbeat
  readonly #uploads: UploadWatch
  /** The last of our messages that is known to have arrived. */
  #arrived = 0

  constructor(options: VitalsOptions) {
    const { clock, links, outbox } = options
    this.#options = options
    const patience = { clock, answerMs: () => answerMs(links.roundTripMs, outbox.bytes) }
    this.#heartbeat = new Heartbeat({
      ...patience,
      ping: (token) => this.#ping(token),
      dead: () => this.#onSilence(),
    })
    this.#uploads = new UploadWatch({ ...patience, overdue: () => this.#onOverdue() })
  }

  start(): void {
    this.#heartbeat.start()
  }

  stop(): void {
    this.#heartbeat.stop()
    this.#uploads.stop()
  }

  heard(): void {
    this.#heartbeat.heard()
  }

  askNow(): void {
    this.#heartbeat.askNow()
  }

  /** Something numbered was said, or waits to be. */
  said(): void {
    if (this.#options.links.current) this.#uploads.said()
  }

  arrived(upTo: number): void {
    this.#arrived = Math.max(this.#arrived, upTo)
    this.#uploads.acknowledged(!this.#owed)
  }

  /** Numbers begin again. */
  restart(): void {
    this.#arrived = 0
    this.#uploads.stop()
  }

  /** The link that carries the session is another one, or none. */
  onLink(link: LiveLink | null): void {
    this.#uploads.stop()
    if (link && this.#owed) this.#uploads.said()
  }

  onPong(token: number): void {
    const roundTripMs = this.#heartbeat.answered(token)
    if (roundTripMs === undefined) return
    this.#options.links.record.roundTripMs = roundTripMs
    this.#options.onMeasured()
  }

  get #owed(): boolean {
    return this.#arrived < this.#options.outbox.last
  }

  /** Held back or dead: where frames go up by a way of their own, that one is doubted first. */
  #onOverdue(): void {
    const { links } = this.#options
    if (links.current?.info.up === 'streamed body') links.reopenWithPosts()
    else this.#heartbeat.askNow()
  }

  #onSilence(): void {
    const { links } = this.#options
    if (links.current) links.drop(links.current, { code: 'timeout', detail: strings.details.pingUnanswered })
  }

  #ping(token: number): boolean {
    const { current } = this.#options.links
    current?.send([encodeClientMessage({ type: 'ping', token })])
    return current !== null
  }
}
