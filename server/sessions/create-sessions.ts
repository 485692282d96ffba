/** All sessions of this node: opens them on links, finds them again on later ones, lets them go when they stay away. */
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { FrameJoiner, Waiting } from '../../lib/protocol/envelope.ts'
import { MAX_MESSAGE_BYTES, PROTOCOL_VERSION, SCHEMA_VERSION } from '../../lib/protocol/limits.ts'
import type { ClientMessage } from '../../lib/protocol/message.ts'
import { encodeServerMessage, readClientMessages } from '../../lib/protocol/message.ts'
import type { Hello, Resume } from '../../lib/protocol/session.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { realClock } from '../../lib/session/clock.ts'
import { rhythm } from '../../lib/session/liveness.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { Rides } from '../../lib/transports/rides.ts'
import type { Link, Sink, TransportId } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'
import { Counts, countUnder } from '../metrics/counts.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Answering } from './asks.ts'
import { ChargedLink } from './charged-link.ts'
import { Debts } from './debts.ts'
import { LinkSeat } from './link-seat.ts'
import { PrincipalSessions } from './principal-sessions.ts'
import { PrincipalCount } from './principal-count.ts'
import { ServerSession } from './server-session.ts'
import type { Sessions } from './sessions.ts'
import { StateBudget } from './state-budget.ts'

const KEEP_MS = 120_000
const MAX_SESSIONS_ON_A_LINK = 64
/** Below what the composition root grants, so that the farewells are still said. */
const DRAIN_MS = 3_500
/** A link that says nothing by then belongs to no session, and nobody else would notice. */
const HELLO_MS = 10_000
/** Spreads the windows that a restart sends away over this long (S8). */
const COME_AGAIN_MS = 1_000

const closeUnlessGreeted = (link: Link): (() => void) =>
  realClock.after(HELLO_MS, () =>
    link.close({ code: 'timeout', detail: strings.link.noHello(HELLO_MS / 1000) }),
  )

const goingAway = (): CloseReason => ({
  code: 'going-away',
  retryAfterMs: Math.round(Math.random() * COME_AGAIN_MS),
})

export interface SessionsParts {
  readonly rooms: Rooms
  readonly log: Logger
  /** Names the node that knows a session, so that another node can hand its requests over (S10). */
  readonly node?: string
  /** The transports there are doors for. */
  readonly offers?: readonly TransportId[]
  /** S6, in bytes: less than it is, in tests. */
  readonly maxLagBytes?: number
  /** How long a session outlives its last link. */
  readonly keepMs?: number
  /** Sessions of one principal; no limit unless given. */
  readonly maxOfPerson?: number | null
  readonly counts?: Counts
  /** What is held for readers; stock clients count there as well. */
  readonly debts?: Debts
  /** Of links; those of stock clients count there as well. */
  readonly connections?: PrincipalCount
  /** Of what windows ask beside their documents; by default nothing is known. */
  readonly answering?: Answering
}

export function createSessions({
  rooms,
  log,
  node = 'a',
  offers = [],
  maxLagBytes,
  keepMs = KEEP_MS,
  maxOfPerson = null,
  counts = new Counts(),
  debts = new Debts(),
  connections = new PrincipalCount(),
  answering = async () => null,
}: SessionsParts): Sessions {
  const budget = new StateBudget()
  const sessions = new Map<string, ServerSession>()
  const byPrincipal = new PrincipalSessions(maxOfPerson)
  const links = new Set<Link>()
  let draining = false
  const timer = setInterval(checkAll, rhythm.checkMs)
  timer.unref()

  return {
    accept,
    drain,
    get draining() {
      return draining
    },
    links: () => linksByTransport(),
    get count() {
      return sessions.size
    },
  }

  /** Several windows of one browser may share the link (`shared`): each rides on it, and leaves without ending it. */
  function accept(accepted: Link, principal: Principal): Sink {
    const link = new ChargedLink(accepted, debts, principal.id)
    const waiting = new Waiting(MAX_MESSAGE_BYTES, (bytes) => link.keeps(bytes))
    let cancelIdle = closeUnlessGreeted(link)
    const rides = new Rides({
      limit: MAX_SESSIONS_ON_A_LINK,
      accept(ride) {
        cancelIdle()
        return acceptRide(ride, principal, new FrameJoiner(waiting))
      },
      onEmpty: () => void (cancelIdle = closeUnlessGreeted(link)),
    }).carriedBy(link)
    const hasRoom = connections.hasRoomFor(principal)
    const uncount = connections.add(principal)
    links.add(link)
    if (draining)
      link.close(goingAway()) // admitted just before
    else if (!hasRoom) link.close(connections.refusal(principal))
    return {
      onFrame: (frame) => rides.onFrame(frame),
      onClosed(reason) {
        links.delete(link)
        uncount()
        rides.onClosed(reason)
        cancelIdle()
        link.closed()
      },
    }
  }

  function acceptRide(link: Link, principal: Principal, joiner: FrameJoiner): Sink {
    let seated: { seat: LinkSeat; session: ServerSession } | null = null
    const cancelHello = closeUnlessGreeted(link)
    return {
      onFrame(frame) {
        try {
          seated?.session.heard()
          const messages = joiner.push(frame)
          if (messages) for (const message of readClientMessages(messages)) hear(message)
        } catch (error) {
          link.close(reasonFor(error))
        }
      },
      onClosed() {
        cancelHello()
        joiner.drop()
        seated?.session.unseat(seated.seat)
      },
    }

    function hear(message: ClientMessage): void {
      if (seated) return seated.session.hear(seated.seat, message)
      if (message.type !== 'hello')
        throw new ProtocolError('bad-message', strings.session.beforeHello(message.type))
      cancelHello()
      seated = { session: sessionFor(message, principal), seat: new LinkSeat(link) }
      welcome(message, seated.session, seated.seat)
    }
  }

  function linksByTransport(): ReadonlyMap<TransportId, number> {
    const open = new Map<TransportId, number>()
    for (const { info } of links) countUnder(open, info.transport)
    return open
  }

  function sessionFor({ protocol, schema, resume }: Hello, principal: Principal): ServerSession {
    if (protocol !== PROTOCOL_VERSION || schema < SCHEMA_VERSION) {
      const ours = { protocol: PROTOCOL_VERSION, schema: SCHEMA_VERSION }
      throw new ProtocolError('version', strings.session.version(protocol, schema, ours))
    }
    return (resume && find(resume, principal)) ?? begin(principal)
  }

  function welcome({ resume }: Hello, session: ServerSession, seat: LinkSeat): void {
    const { id, secret, received } = session
    const resumed = resume?.id === id
    session.seat(seat)
    const told = { principal: session.principal.id, offers: offers.join(',') }
    seat.send([encodeServerMessage({ type: 'welcome', id, secret, resumed, received, ...told })])
    if (!resumed) session.take(seat, 0)
    else if (resume.take) session.take(seat, resume.received)
  }

  function find({ id, secret }: Resume, principal: Principal): ServerSession | null {
    const session = sessions.get(id)
    return session?.opensFor(principal, secret) ? session : null
  }

  /** @throws {ProtocolError} where the principal has too many already, and all of them have a link. */
  function begin(principal: Principal): ServerSession {
    byPrincipal.makeRoom(principal)
    const session = new ServerSession({
      id: `${node}.${randomBytes(16).toString('base64url')}`,
      secret: randomBytes(16).toString('base64url'),
      principal,
      rooms,
      log,
      budget,
      counts,
      answering,
      ...(maxLagBytes && { maxLagBytes }),
      debts,
      onEnded(ended) {
        sessions.delete(ended.id)
        byPrincipal.remove(ended)
      },
    })
    sessions.set(session.id, session)
    byPrincipal.add(session)
    return session
  }

  /** One that was only reloaded leaves a session that nobody comes back to. */
  function checkAll(): void {
    const now = realClock.now()
    for (const session of sessions.values()) {
      session.check()
      const since = session.linklessSince
      if (since !== null && now - since > keepMs) session.end({ code: 'timeout' })
    }
  }

  async function drain(): Promise<void> {
    draining = true
    clearInterval(timer)
    const deadline = realClock.now() + DRAIN_MS
    while (realClock.now() < deadline && [...sessions.values()].some(({ inFlight }) => inFlight > 0)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await new Promise((resolve) => setImmediate(resolve)) // the last acknowledgements go out before the close
    for (const link of links) link.close(goingAway())
  }

  function reasonFor(error: unknown): CloseReason {
    if (error instanceof ProtocolError) {
      countUnder(counts.refusals, error.reason.code)
      return error.reason
    }
    log.error({ err: error }, 'link failed')
    return { code: 'overloaded', detail: strings.session.mistake, retryAfterMs: 1_000 }
  }
}
