/**
 * Whether the session has a link. A switch is not a state of its own: while its successor is opened, the old link is up.
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
  /** `attempt` counts the failures before this link, and is reset only when the link has lasted. */
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
  /** `steady`: the lost link had lasted, so the failures before it no longer count. */
  | { readonly type: 'onward'; readonly steady: boolean }
  | { readonly type: 'due' }
  | { readonly type: 'stop'; readonly reason: CloseReason }

export type LinkStateName = LinkState['name']
export type LinkEventType = LinkEvent['type']

type LinkStateOf<Name extends LinkStateName> = Extract<LinkState, { name: Name }>
type LinkEventOf<Type extends LinkEventType> = Extract<LinkEvent, { type: Type }>
type Transition<Name extends LinkStateName, Type extends LinkEventType> = (
  state: LinkStateOf<Name>,
  event: LinkEventOf<Type>,
) => LinkState

const stay = <S extends LinkState>(state: S): LinkState => state
const connect = (): LinkState => ({ name: 'connecting', attempt: 0 })
const stop = (_: LinkState, { reason }: LinkEventOf<'stop'>): LinkState => ({ name: 'stopped', reason })
const wait = (attempt: number, { reason, retryAt }: LinkEventOf<'failed' | 'lost'>): LinkState => ({
  name: 'waiting',
  attempt,
  retryAt,
  reason,
})

const transitions: { readonly [N in LinkStateName]: { readonly [T in LinkEventType]: Transition<N, T> } } = {
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

export function nextLinkState(state: LinkState, event: LinkEvent): LinkState {
  const transition = transitions[state.name][event.type] as Transition<LinkStateName, LinkEventType>
  return transition(state, event)
}
