/**
 * Checks that the session's current link lives in both directions: the heartbeat watches what comes down, and what goes up
 * must be acknowledged. It acts on silence, and does not know what messages say.
 */
import { encodeClientMessage } from '../protocol/message.ts'
import { transportsStrings } from '../strings/transports.ts'
import type { Clock } from './clock.ts'
import { Heartbeat } from './heartbeat.ts'
import type { Links } from './links.ts'
import type { FramedLink } from './framed-link.ts'
import { answerTimeoutMs } from './deadlines.ts'
import { UploadMonitor } from './upload-monitor.ts'

export interface LivenessMonitorOptions {
  readonly clock: Clock
  readonly links: Links
  readonly outbox: { readonly last: number; readonly bytes: number }
  onMeasured(): void
}

export class LivenessMonitor {
  readonly #options: LivenessMonitorOptions
  readonly #heartbeat: Heartbeat
  readonly #uploadMonitor: UploadMonitor
  /** The number of our last message that is known to have arrived. */
  #acknowledgedUpTo = 0

  constructor(options: LivenessMonitorOptions) {
    const { clock, links, outbox } = options
    this.#options = options
    const timing = { clock, answerMs: () => answerTimeoutMs(links.roundTripMs, outbox.bytes) }
    this.#heartbeat = new Heartbeat({
      ...timing,
      ping: (token) => this.#ping(token),
      onDead: () => this.#onSilence(),
    })
    this.#uploadMonitor = new UploadMonitor({ ...timing, onOverdue: () => this.#onOverdue() })
  }

  start(): void {
    this.#heartbeat.start()
  }

  stop(): void {
    this.#heartbeat.stop()
    this.#uploadMonitor.stop()
  }

  onReceived(): void {
    this.#heartbeat.onReceived()
  }

  pingNow(): void {
    this.#heartbeat.pingNow()
  }

  /** A numbered message was sent, or waits to be. */
  onSent(): void {
    if (this.#options.links.current) this.#uploadMonitor.onSent()
  }

  onAcknowledged(upTo: number): void {
    this.#acknowledgedUpTo = Math.max(this.#acknowledgedUpTo, upTo)
    this.#uploadMonitor.onAcknowledged(!this.#hasUnacknowledged)
  }

  /** Message numbers begin again. */
  restart(): void {
    this.#acknowledgedUpTo = 0
    this.#uploadMonitor.stop()
  }

  /** Another link carries the session now, or none. */
  onLinkChange(link: FramedLink | null): void {
    this.#uploadMonitor.stop()
    if (link && this.#hasUnacknowledged) this.#uploadMonitor.onSent()
  }

  onPong(token: number): void {
    const roundTripMs = this.#heartbeat.roundTripOf(token)
    if (roundTripMs === undefined) return
    this.#options.links.record.onRoundTrip(roundTripMs)
    this.#options.onMeasured()
  }

  get #hasUnacknowledged(): boolean {
    return this.#acknowledgedUpTo < this.#options.outbox.last
  }

  /** The upload is held back or the link is dead. Where frames go up in a request of their own, that one is doubted first. */
  #onOverdue(): void {
    const { links } = this.#options
    if (links.current?.info.up === 'streamed body') links.reopenWithPosts()
    else this.#heartbeat.pingNow()
  }

  #onSilence(): void {
    const { current } = this.#options.links
    current?.close({ code: 'timeout', detail: transportsStrings.details.pingUnanswered })
  }

  #ping(token: number): boolean {
    const { current } = this.#options.links
    current?.send([encodeClientMessage({ type: 'ping', token })])
    return current !== null
  }
}
