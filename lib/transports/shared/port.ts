/** What a window that rides and the window that leads say to each other, on a channel that these two alone have joined. */
import type { ChannelLike } from '../../broadcast.ts'
import type { CloseReason } from '../../protocol/close.ts'
import type { LinkInfo } from '../transport.ts'

export type FromRider =
  /** Take me along. A leader that was frozen and does not know yet that it leads no more is another hub than the one meant. */
  | { readonly type: 'ride'; readonly hub: string }
  | { readonly type: 'frame'; readonly frame: Uint8Array<ArrayBuffer> }
  | { readonly type: 'close'; readonly reason: CloseReason }
  /** Are you there? */
  | { readonly type: 'ask' }

export type FromHub =
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

export type RiderPort = Port<FromRider, FromHub>
export type HubPort = Port<FromHub, FromRider>

export function portOn<Out, In>(channel: ChannelLike, onClose: () => void): Port<Out, In> {
  const mouth = new Mouth<In>()
  channel.addEventListener('message', ({ data }) => mouth.say(data as In))
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => void (mouth.listener = listener),
    close() {
      mouth.listener = null
      channel.close()
      onClose()
    },
  }
}

/** Within one window: what is posted is heard before `post` returns. */
export function portPair(): [RiderPort, HubPort] {
  const toHub = new Mouth<FromRider>()
  const toRider = new Mouth<FromHub>()
  return [end(toHub, toRider), end(toRider, toHub)]
}

class Mouth<Message> {
  listener: ((message: Message) => void) | null = null
  say = (message: Message): void => this.listener?.(message)
}

const end = <Out, In>(out: Mouth<Out>, into: Mouth<In>): Port<Out, In> => ({
  post: out.say,
  listen: (listener) => void (into.listener = listener),
  close: () => void (into.listener = null),
})
