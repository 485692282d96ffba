/** What sharing a link asks of the platform, as the smallest interface that serves: two windows fit one test process. */
import type { BroadcastChannelLike } from '../../broadcast-channel.ts'
import type { LocksLike } from '../../locks.ts'

export interface SharingPlatform {
  readonly locks: LocksLike
  /** Joins the channel of that name: what one window posts there all others hear, in order. */
  joinChannel(name: string): BroadcastChannelLike
  /** A hidden window's timers are late, so that it judges nobody. */
  isVisible(): boolean
  /** Returns the undo. */
  onVisible(listener: () => void): () => void
  /** The window is about to be gone or to freeze. Returns the undo. */
  onLeave(listener: () => void): () => void
}
