/**
 * Whether the session has a link. A switch is not a state of its own: while a successor is being opened the old link is up.
 *
 *            start                 proven
 *    idle ──────────▶ connecting ──────────▶ up
 *                     ▲ ▲ │  ▲ │              │ │
 *                     │ └─┘  │ │ failed       │ │ lost
 *                     │onward│ ▼              │ ▼
 *                     │      └── waiting ◀────┼─┘
 *                     │      due              │
 *                     └───────────────────────┘ onward       any ──stop──▶ stopped
 *
 * onward: the next transport is opened at once, or is on its way already.
 */
import type { CloseReason } from '../protocol/close.ts'

export type LinkState =
  | { readonly name: 'idle' }
  | { readonly name: 'connecting'; readonly attempt: number }
  /** Failures before it: they count on until the link has lasted. */
  | { readonly name: 'up'; readonly attempt: number }
  | {
      readonly name: 'waiting'
      readonly attempt: number
      readonly retryAt: number
      readonly reason: CloseReason
    }
  | { readonly name: 'stopped'; readonly reason: CloseReason }

export type LinkEvent =
  | { readonly type: 'start' }
  | { readonly type: 'proven' }
  | { readonly type: 'failed'; readonly reason: CloseReason; readonly retryAt: number }
  | {
      readonly type: 'lost'
      readonly reason: CloseReason
      readonly retryAt: number
      readonly steady: boolean
    }
  /** `steady`: the link that went had lasted, so that the failures before it are over. */
  | { readonly type: 'onward'; readonly steady: boolean }
  | { readonly type: 'due' }
  | { readonly type: 'stop'; readonly reason: CloseReason }

export type StateName = LinkState['name']
export type EventType = LinkEvent['type']

type State<Name extends StateName> = Extract<LinkState, { name: Name }>
type Event<Type extends EventType> = Extract<LinkEvent, { type: Type }>
type Cell<Name extends StateName, Type extends EventType> = (
  state: State<Name>,
  event: Event<Type>,
) => LinkState

const stay = <S extends LinkState>(state: S): LinkState => state
const connect = (): LinkState => ({ name: 'connecting', attempt: 0 })
const stop = (_: LinkState, { reason }: Event<'stop'>): LinkState => ({ name: 'stopped', reason })
const wait = (attempt: number, { reason, retryAt }: Event<'failed' | 'lost'>): LinkState => ({
  name: 'waiting',
  attempt,
  retryAt,
  reason,
})

const transitions: { readonly [N in StateName]: { readonly [T in EventType]: Cell<N, T> } } = {
  idle: { start: connect, proven: stay, failed: stay, lost: stay, onward: stay, due: stay, stop },
  connecting: {
    start: stay,
    proven: ({ attempt }) => ({ name: 'up', attempt }),
    failed: ({ attempt }, event) => wait(attempt, event),
    lost: stay,
    onward: stay,
    due: stay,
    stop,
  },
  up: {
    start: stay,
    proven: stay,
    failed: stay,
    lost: ({ attempt }, event) => wait(event.steady ? 0 : attempt, event),
    onward: ({ attempt }, { steady }) => ({ name: 'connecting', attempt: steady ? 0 : attempt }),
    due: stay,
    stop,
  },
  waiting: {
    start: stay,
    proven: stay,
    failed: stay,
    lost: stay,
    onward: stay,
    due: ({ attempt }) => ({ name: 'connecting', attempt: attempt + 1 }),
    stop,
  },
  stopped: { start: stay, proven: stay, failed: stay, lost: stay, onward: stay, due: stay, stop: stay },
}

export function step(state: LinkState, event: LinkEvent): LinkState {
  const cell = transitions[state.name][event.type] as Cell<StateName, EventType>
  return cell(state, event)
}
