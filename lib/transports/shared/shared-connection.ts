/**
 * One window's side of a shared link: its followers, its leader link while it leads, and the channel on which followers and
 * leader find each other. The first follower sets it up; it ends a moment after the last.
 */
import type { BroadcastChannelLike } from '../../broadcast-channel.ts'
import type { CloseReason } from '../../protocol/close.ts'
import { randomId } from '../../protocol/ids.ts'
import { strings } from '../../strings/transports.ts'
import { abortedOpening } from '../opening.ts'
import type { Link, Sink, LinkTarget, Transport } from '../transport.ts'
import { LeaderLink } from './leader-link.ts'
import { LeaderElection } from './leader-election.ts'
import {
  type LeaderMessage,
  type FollowerMessage,
  type LeaderPort,
  createPort,
  createPortPair,
  type FollowerPort,
} from './port.ts'
import { FrozenLeaderDetection } from './frozen-leader-detection.ts'
import type { SharingPlatform } from './sharing-platform.ts'
import { FollowerLink } from './follower-link.ts'

/** A window that lost its link comes back sooner than this, and keeps its place in the queue for the lock. */
export const SHARED_LINK_LINGER_MS = 5_000

/** A message to all windows. */
type SharingAnnouncement =
  /** A follower asks to connect on this channel. It holds the lock of the channel's name while it lives. */
  | { readonly type: 'board'; readonly channel: string }
  /** A new leader. `stole`: the former one did not answer. */
  | { readonly type: 'leads'; readonly stole: boolean }

const leaderChanged: CloseReason = { code: 'handed-over' }
const leaderSilent: CloseReason = { code: 'handed-over', detail: strings.details.leaderSilent }
const leaderWasSilent: CloseReason = { code: 'handed-over', detail: strings.details.leaderWasSilent }

export interface SharedConnectionOptions {
  readonly name: string
  readonly base: Transport
  readonly target: LinkTarget
  readonly platform: SharingPlatform
  readonly lingerMs: number
  onEnd(): void
}

export class SharedConnection {
  readonly #options: SharedConnectionOptions
  readonly #announcements: BroadcastChannelLike
  readonly #election: LeaderElection
  readonly #followerLinks = new Set<FollowerLink>()
  readonly #frozenLeaderDetection = new FrozenLeaderDetection()
  readonly #stopListening: (() => void)[]
  #leaderLink: LeaderLink | null = null
  #isStealing = false
  #cancelEnd: () => void = () => {}

  constructor(options: SharedConnectionOptions) {
    const { name, platform } = options
    this.#options = options
    this.#announcements = platform.joinChannel(name)
    this.#announcements.addEventListener('message', ({ data }) => this.#receive(data as SharingAnnouncement))
    this.#election = new LeaderElection(platform.locks, name, {
      onElected: () => this.#onElected(),
      onLeadershipLost: () => this.#onLeadershipLost(),
    })
    this.#stopListening = [
      platform.onVisible(() => this.#pingLeader()),
      platform.onLeave(() => this.#handOverLeadership()),
    ]
  }

  async open(sink: Sink, signal: AbortSignal): Promise<Link> {
    const followerLink = new FollowerLink(this.#options.base.id, {
      answerTimeoutMs: () => this.#frozenLeaderDetection.timeoutMs(performance.now()),
      onSilent: () => this.#onSilent(followerLink),
      onEnded: () => this.#removeFollowerLink(followerLink),
    })
    this.#followerLinks.add(followerLink)
    this.#cancelEnd()
    const opened = followerLink.open(sink, signal)
    opened.catch(() => {}) // The rejection is handled below, unless the election fails first.
    try {
      await this.#election.join()
    } catch (error) {
      this.#removeFollowerLink(followerLink)
      throw error
    }
    if (signal.aborted) throw abortedOpening(signal)
    if (!followerLink.isConnected) this.#connect(followerLink) // If this window leads now, it is connected already.
    return opened
  }

  #connect(followerLink: FollowerLink): void {
    if (this.#leaderLink) this.#connectToOwnLeader(followerLink, this.#leaderLink)
    else this.#connectToOtherWindow(followerLink)
  }

  #connectToOwnLeader(followerLink: FollowerLink, leaderLink: LeaderLink): void {
    const [followerPort, leaderPort] = createPortPair()
    followerLink.connect(followerPort, 'this window')
    leaderLink.addPort(leaderPort, false)
  }

  /** The announcement goes out once the lock is held: from then on the leader can tell whether this follower lives. */
  #connectToOtherWindow(followerLink: FollowerLink): void {
    const { name, platform } = this.#options
    const channel = `${name}:${randomId()}`
    const life = Promise.withResolvers<void>()
    const port: FollowerPort = createPort<FollowerMessage, LeaderMessage>(
      platform.joinChannel(channel),
      life.resolve,
    )
    followerLink.connect(port, 'another window')
    platform.locks
      .request(channel, {}, () => {
        this.#announce({ type: 'board', channel })
        return life.promise
      })
      .catch(() => {}) // Nobody answers, which the follower notices.
  }

  #receive(announcement: SharingAnnouncement): void {
    if (announcement.type === 'leads' && announcement.stole)
      this.#frozenLeaderDetection.onSteal(performance.now())
    if (announcement.type === 'board') this.#acceptFollower(announcement.channel)
    // A window that still believes to lead was frozen, and is about to lose the lock.
    else if (!this.#leaderLink) this.#onLeaderChange(leaderChanged)
  }

  #acceptFollower(channel: string): void {
    const leaderLink = this.#leaderLink
    if (!leaderLink) return
    const { locks, joinChannel: join } = this.#options.platform
    const waiting = new AbortController()
    const port: LeaderPort = createPort<LeaderMessage, FollowerMessage>(join(channel), () => waiting.abort())
    const onFollowerGone = leaderLink.addPort(port, true)
    // The lock is granted only when the follower is dead.
    locks.request(channel, { signal: waiting.signal }, async () => onFollowerGone()).catch(() => {})
  }

  #onElected(): void {
    const { base, target } = this.#options
    this.#leaderLink = new LeaderLink(base, target, () => this.#scheduleEnd())
    const stole = this.#isStealing
    this.#isStealing = false
    if (stole) this.#frozenLeaderDetection.onSteal(performance.now())
    this.#announce({ type: 'leads', stole })
    this.#onLeaderChange(stole ? leaderWasSilent : leaderChanged)
    this.#scheduleEnd()
  }

  /** A new window leads: open links end with the former leader, and links not yet open connect to the new one. */
  #onLeaderChange(reason: CloseReason): void {
    for (const followerLink of this.#followerLinks)
      if (followerLink.onLeaderChange(reason)) this.#connect(followerLink)
  }

  #onSilent(followerLink: FollowerLink): void {
    if (!this.#options.platform.isVisible()) return followerLink.giveUpOpening(leaderSilent)
    this.#isStealing = true
    this.#election.stealLock()
  }

  #pingLeader(): void {
    for (const followerLink of this.#followerLinks) followerLink.pingLeader()
  }

  #onLeadershipLost(): void {
    this.#leaderLink?.handOver(leaderWasSilent)
    this.#leaderLink = null
    if (this.#followerLinks.size > 0) void this.#rejoinElection()
  }

  async #rejoinElection(): Promise<void> {
    await this.#election.join().catch(() => {})
    this.#onLeaderChange(leaderWasSilent)
  }

  /** This window is about to close or to freeze: the others need not wait until they notice. */
  #handOverLeadership(): void {
    if (!this.#leaderLink?.hasRemoteFollowers) return
    this.#leaderLink.handOver(leaderChanged)
    this.#leaderLink = null
    this.#election.leave()
  }

  #removeFollowerLink(followerLink: FollowerLink): void {
    this.#followerLinks.delete(followerLink)
    this.#scheduleEnd()
  }

  #scheduleEnd(): void {
    this.#cancelEnd()
    const timer = setTimeout(() => this.#end(), this.#options.lingerMs)
    this.#cancelEnd = () => clearTimeout(timer)
  }

  #end(): void {
    if (this.#followerLinks.size > 0 || (this.#leaderLink && !this.#leaderLink.isEmpty)) return
    this.#election.leave()
    this.#announcements.close()
    for (const stop of this.#stopListening) stop()
    this.#options.onEnd()
  }

  #announce(announcement: SharingAnnouncement): void {
    this.#announcements.postMessage(announcement)
  }
}
