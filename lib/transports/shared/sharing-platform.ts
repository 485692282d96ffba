/** The smallest interface of the platform that sharing a link needs, so that one test process can hold several windows. */
import type { BroadcastChannelLike } from '../../broadcast-channel.ts'
import type { LocksLike } from '../../locks.ts'

export interface SharingPlatform {
  readonly locks: LocksLike
  /** Joins the channel of that name: all other windows receive what one window posts there, in order. */
  joinChannel(name: string): BroadcastChannelLike
  /** A hidden window's timers are late, so it must not judge a leader silent. */
  isVisible(): boolean
  /** Returns a function that removes the listener. */
  onVisible(listener: () => void): () => void
  /** The window is about to close or to freeze. Returns a function that removes the listener. */
  onLeave(listener: () => void): () => void
}
