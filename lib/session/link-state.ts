/**
 * The connection of a session as a pure machine: a state and an event give the next state, and what is to be done as data.
 * `Links` performs it. At most one attempt is under way, the `candidate`: without a link everybody waits for it, and with one
 * it is to take over (S4).
 *
 *             open                proven             open
 *    idle ──────────▶ connecting ─────────▶ up ◀────────────────▶ switching
 *                     ▲ │ ▲ ▲ ▲             │ proven, failed, keep    │
 *                     │ └─┘ │ └─────────────┼─────────────────────────┘ lost: the candidate goes on
 *                open │     │ lost, at once │
 *                     │     ├───────────────┤
 *                     │     ▼ failed        ▼ lost
 *                     └── waiting ◀─────────┘             any ──stop, or a final reason (S9)──▶ stopped
 *
 * A failed attempt leads to the next one at once, or to a wait (S8). An event that a state has no cell for throws.
 */
import type { CloseReason } from '../protocol/close.ts'
import { fateOf } from '../protocol/close.ts'
import type { transportsStrings } from '../strings/transports.ts'
import { STEADY_MS } from '../transports/evidence.ts'
import type { Candidate } from './candidate.ts'
import type { FramedLink } from './framed-link.ts'
import { retryDelayMs } from './retry-delay.ts'

interface LinkInUse {
  /** The failures before this link, which count until it has lasted. */
  readonly attempt: number
  readonly link: FramedLink
  readonly since: number
}

interface States {
  readonly idle: object
  readonly connecting: { readonly attempt: number; readonly candidate: Candidate }
  readonly up: LinkInUse
  readonly switching: LinkInUse & { readonly candidate: Candidate }
  readonly waiting: { readonly attempt: number; readonly retryAt: number; readonly reason: CloseReason }
  readonly stopped: { readonly reason: CloseReason }
}

interface LinkEnd {
  readonly reason: CloseReason
  readonly at: number
  /** In [0, 1), for the jitter of a wait. */
  readonly random: number
  /** The attempt that follows without a wait, if one may. */
  readonly next: Candidate | null
}

interface Events {
  /** Another candidate gives way to this one. */
  readonly open: { readonly candidate: Candidate }
  /** The link in use is what is wanted. */
  readonly keep: object
  readonly proven: { readonly link: FramedLink; readonly at: number }
  readonly failed: LinkEnd
  readonly lost: LinkEnd
  readonly stop: { readonly reason: CloseReason }
}

interface Effects {
  readonly open: { readonly candidate: Candidate }
  readonly abandon: { readonly candidate: Candidate; readonly reason: CloseReason }
  readonly promote: {
    readonly candidate: Candidate
    readonly why: keyof typeof transportsStrings.switchReasons
  }
  /** `isSuspect`: its streamed upload brought no acknowledgement. */
  readonly drain: { readonly link: FramedLink; readonly isSuspect: boolean }
  /** What is wanted is again what led to the link in use. */
  readonly revert: object
  readonly wait: { readonly ms: number }
  /** Ends the link in use, if there is one, and those that drain. */
  readonly close: { readonly link: FramedLink | null; readonly reason: CloseReason }
}

export type LinkStateName = keyof States
export type LinkEventType = keyof Events
type StateOf<Name extends LinkStateName> = { [N in Name]: { readonly name: N } & States[N] }[Name]
type EventOf<Type extends LinkEventType> = { [T in Type]: { readonly type: T } & Events[T] }[Type]
export type LinkState = StateOf<LinkStateName>
export type LinkEvent = EventOf<LinkEventType>
export type LinkEffect = { [T in keyof Effects]: { readonly type: T } & Effects[T] }[keyof Effects]
export type LinkTransition = readonly [LinkState, ...LinkEffect[]]

type Cells = {
  readonly [N in LinkStateName]: {
    readonly [T in LinkEventType]?: (state: StateOf<N>, event: EventOf<T>) => LinkTransition
  }
}

const cells: Cells = {
  idle: {
    open: (_, { candidate }) => [{ name: 'connecting', attempt: 0, candidate }, open(candidate)],
    stop: (_, { reason }) => end(reason),
  },
  connecting: {
    open: (state, { candidate }) => [{ ...state, candidate }, abandon(state.candidate), open(candidate)],
    proven: promote,
    failed: ({ attempt, candidate }, event) =>
      continueWithoutLink(attempt, event, abandon(candidate, event.reason)),
    stop: ({ candidate }, { reason }) => end(reason, null, abandon(candidate)),
  },
  up: {
    open: (state, { candidate }) => [{ ...state, name: 'switching', candidate }, open(candidate)],
    keep: (state) => [state],
    lost: (state, event) => continueWithoutLink(failuresAfter(state, event.at), event),
    stop: ({ link }, { reason }) => end(reason, link),
  },
  switching: {
    open: (state, { candidate }) => [{ ...state, candidate }, abandon(state.candidate), open(candidate)],
    keep: (state) => keepLink(state),
    proven: (state, event) => promote(state, event, drain(state)),
    failed: (state, { reason }) => keepLink(state, reason),
    lost: (state, { reason, at }) => {
      const { candidate } = state
      if (fateOf(reason) !== 'retry') return end(reason, null, abandon(candidate))
      return [{ name: 'connecting', attempt: failuresAfter(state, at), candidate }]
    },
    stop: ({ link, candidate }, { reason }) => end(reason, link, abandon(candidate)),
  },
  waiting: {
    open: ({ attempt }, { candidate }) => [
      { name: 'connecting', attempt: attempt + 1, candidate },
      open(candidate),
    ],
    stop: (_, { reason }) => end(reason),
  },
  stopped: { stop: (state) => [state] },
}

/** @throws {Error} for an event that cannot happen in this state. */
export function applyLinkEvent(state: LinkState, event: LinkEvent): LinkTransition {
  const cell = cells[state.name][event.type] as
    ((from: LinkState, by: LinkEvent) => LinkTransition) | undefined
  if (!cell)
    throw new Error(`A connection cannot meet the event "${event.type}" while it is "${state.name}".`)
  return cell(state, event)
}

/** Whether the link has lasted: the failures before it no longer count. */
export const hasLasted = ({ since }: LinkInUse, at: number): boolean => at - since >= STEADY_MS

const failuresAfter = (state: LinkInUse, at: number): number => (hasLasted(state, at) ? 0 : state.attempt)

const open = (candidate: Candidate): LinkEffect => ({ type: 'open', candidate })

const abandon = (candidate: Candidate, reason: CloseReason = { code: 'done' }): LinkEffect => ({
  type: 'abandon',
  candidate,
  reason,
})

const drain = ({ link, candidate }: StateOf<'switching'>): LinkEffect => ({
  type: 'drain',
  link,
  isSuspect: candidate.purpose === 'posts',
})

function promote(
  state: StateOf<'connecting' | 'switching'>,
  { link, at }: EventOf<'proven'>,
  ...first: LinkEffect[]
): LinkTransition {
  const { attempt, candidate } = state
  const promotion: LinkEffect = { type: 'promote', candidate, why: switchReasonOf(state) }
  return [{ name: 'up', attempt, link, since: at }, ...first, promotion]
}

function switchReasonOf(
  state: StateOf<'connecting' | 'switching'>,
): keyof typeof transportsStrings.switchReasons {
  const { purpose, transport } = state.candidate
  if (purpose === 'switch') return 'chosen'
  if (purpose === 'posts') return 'uploadHeldBack'
  if (state.name === 'connecting') return 'opened'
  return transport === state.link.info.transport ? 'openedAgain' : 'better'
}

function keepLink({ candidate, ...inUse }: StateOf<'switching'>, reason?: CloseReason): LinkTransition {
  return [{ ...inUse, name: 'up' }, abandon(candidate, reason), { type: 'revert' }]
}

function continueWithoutLink(
  attempt: number,
  { reason, at, random, next }: LinkEnd,
  ...first: LinkEffect[]
): LinkTransition {
  if (fateOf(reason) !== 'retry') return end(reason, null, ...first)
  if (next) return [{ name: 'connecting', attempt, candidate: next }, ...first, open(next)]
  const ms = retryDelayMs({ attempt, reason, random })
  return [{ name: 'waiting', attempt, retryAt: at + ms, reason }, ...first, { type: 'wait', ms }]
}

function end(reason: CloseReason, link: FramedLink | null = null, ...first: LinkEffect[]): LinkTransition {
  return [{ name: 'stopped', reason }, ...first, { type: 'close', link, reason }]
}
