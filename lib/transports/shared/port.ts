/** What a window that rides and the window that leads say to each other, on a channel that these two alone have joined. */
import type { BroadcastChannelLike } from '../../broadcast-channel.ts'
import type { CloseReason } from '../../protocol/close.ts'
import type { LinkInfo } from '../transport.ts'

export type FollowerMessage =
  /** Take me along. A leader that was frozen and does not know yet that it leads no more is another hub than the one meant. */
  | { readonly type: 'ride'; readonly hub: string }
  | { readonly type: 'frame'; readonly frame: Uint8Array<ArrayBuffer> }
  | { readonly type: 'close'; readonly reason: CloseReason }
  /** Are you there? */
  | { readonly type: 'ask' }

export type LeaderMessage =
  /** The answer, and the first word to whoever calls. */
  | { readonly type: 'here'; readonly hub: string }
  | { readonly type: 'open'; readonly info: LinkInfo }
  /** It changed. */
  | { readonly type: 'info'; readonly info: LinkInfo }
  | { readonly type: 'frame'; readonly frame: Uint8Array<ArrayBuffer> }
  /** So many bytes more went on to the network. */
  | { readonly type: 'took'; readonly bytes: number }
  /** Nothing comes behind it. */
  | { readonly type: 'over'; readonly reason: CloseReason }

export interface Port<Out, In> {
  post(message: Out): void
  listen(listener: (message: In) => void): void
  /** Nothing more is heard. */
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

/** Within one window: what is posted is heard before `post` returns. */
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
