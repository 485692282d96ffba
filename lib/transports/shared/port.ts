/** The messages between a follower and the leader, on a channel that only these two have joined. */
import type { BroadcastChannelLike } from '../../broadcast-channel.ts'
import type { CloseReason } from '../../protocol/close.ts'
import type { LinkInfo } from '../transport.ts'

export type FollowerMessage =
  /** Asks to use the link of this leader. A frozen window that still believes to lead has another `hub`. */
  | { readonly type: 'ride'; readonly hub: string }
  | { readonly type: 'frame'; readonly frame: Uint8Array<ArrayBuffer> }
  | { readonly type: 'close'; readonly reason: CloseReason }
  /** A ping. */
  | { readonly type: 'ask' }

export type LeaderMessage =
  /** The answer to a ping, and the first message to a new follower. */
  | { readonly type: 'here'; readonly hub: string }
  | { readonly type: 'open'; readonly info: LinkInfo }
  /** The info changed. */
  | { readonly type: 'info'; readonly info: LinkInfo }
  | { readonly type: 'frame'; readonly frame: Uint8Array<ArrayBuffer> }
  /** So many more bytes went on to the network. */
  | { readonly type: 'took'; readonly bytes: number }
  /** The last message. */
  | { readonly type: 'over'; readonly reason: CloseReason }

export interface Port<Out, In> {
  post(message: Out): void
  listen(listener: (message: In) => void): void
  /** No message is received after it. */
  close(): void
}

export type FollowerPort = Port<FollowerMessage, LeaderMessage>
export type LeaderPort = Port<LeaderMessage, FollowerMessage>

export function createPort<Out, In>(channel: BroadcastChannelLike, onClose: () => void): Port<Out, In> {
  const emitter = new PortEmitter<In>()
  channel.addEventListener('message', ({ data }) => emitter.emit(data as In))
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => void (emitter.listener = listener),
    close() {
      emitter.listener = null
      channel.close()
      onClose()
    },
  }
}

/** A pair of ports within one window: a message is received before `post` returns. */
export function createPortPair(): [FollowerPort, LeaderPort] {
  const toLeader = new PortEmitter<FollowerMessage>()
  const toFollower = new PortEmitter<LeaderMessage>()
  return [createPortEnd(toLeader, toFollower), createPortEnd(toFollower, toLeader)]
}

class PortEmitter<Message> {
  listener: ((message: Message) => void) | null = null
  emit = (message: Message): void => this.listener?.(message)
}

const createPortEnd = <Out, In>(out: PortEmitter<Out>, into: PortEmitter<In>): Port<Out, In> => ({
  post: out.emit,
  listen: (listener) => void (into.listener = listener),
  close: () => void (into.listener = null),
})
