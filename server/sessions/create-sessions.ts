/** All sessions of this node: opens them on links, finds them again on later links, and ends those whose clients stay away. */
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { FrameJoiner, PendingPieces } from '../../lib/protocol/framing.ts'
import { MAX_MESSAGE_BYTES, PROTOCOL_VERSION, SCHEMA_VERSION } from '../../lib/protocol/limits.ts'
import type { ClientMessage } from '../../lib/protocol/message.ts'
import { encodeServerMessage, readClientMessages } from '../../lib/protocol/message.ts'
import type { HelloMessage, ResumeRequest } from '../../lib/protocol/session-messages.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { realClock } from '../../lib/session/clock.ts'
import { livenessTiming } from '../../lib/session/liveness.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { Multiplexer } from '../../lib/transports/multiplexer.ts'
import type { Link, Sink, TransportId } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'
import { Meter } from '../metering/meter.ts'
import { ServerCounts, incrementCount } from '../metrics/server-counts.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import { noTracing, type Tracing } from '../tracing/tracing.ts'
import type { RequestResponder } from './session-request-handler.ts'
import { ChargedLink } from './charged-link.ts'
import { BufferBudget } from './buffer-budget.ts'
import { SessionLink } from './session-link.ts'
import { PrincipalSessions } from './principal-sessions.ts'
import { PrincipalCount } from './principal-count.ts'
import { ServerSession } from './server-session.ts'
import { SessionIds } from './session-ids.ts'
import type { ForwardsLinks } from './forwards-links.ts'
import { StateBudget } from './state-budget.ts'

const KEEP_MS = 120_000
const MAX_SESSIONS_ON_A_LINK = 64
/** Less than the composition root grants, so that the close messages can still be sent. */
const DRAIN_MS = 3_500
/** A link without a `hello` by then belongs to no session, so nothing else would close it. */
const HELLO_MS = 10_000
/** Spreads over this time the retries of the windows that a restart closes (S8). */
const RETRY_SPREAD_MS = 1_000

/** What a link and its sub-links share while they open. */
interface ChargedOpening {
  readonly link: ChargedLink
  readonly waiting: PendingPieces
  /** Runs within the request that opened the link. */
  readonly withinRequest: ReturnType<Tracing['bind']>
}

const closeWithoutHello = (link: Link): (() => void) =>
  realClock.after(HELLO_MS, () =>
    link.close({ code: 'timeout', detail: serverRefusalsStrings.link.noHello(HELLO_MS / 1000) }),
  )

const goingAwayReason = (): CloseReason => ({
  code: 'going-away',
  retryAfterMs: Math.round(Math.random() * RETRY_SPREAD_MS),
})

export interface SessionsOptions {
  readonly rooms: Rooms
  readonly log: Logger
  /** The name of this node, which is in session ids, so that another node can pass requests on to it (S10). */
  readonly node?: string
  /** What the nodes share, and nobody else knows; a window proves by it that a session at another node was its own. */
  readonly secret?: Buffer
  /** By default there is no other node. */
  readonly forwarder?: ForwardsLinks
  /** The transports that have a gateway. */
  readonly offers?: readonly TransportId[]
  /** The limit of S6 in bytes; tests make it smaller. */
  readonly maxLagBytes?: number
  /** How long a session outlives its last link. */
  readonly keepMs?: number
  /** The sessions of each principal; by default there is no limit. */
  readonly principalSessions?: PrincipalSessions
  /** Shared with the rooms, the API and stock clients: a principal has one for all. */
  readonly meter?: Meter
  readonly counts?: ServerCounts
  readonly tracing?: Tracing
  /** The bytes held for readers; stock clients count too. */
  readonly bufferBudget?: BufferBudget
  /** The count of links; those of stock clients count too. */
  readonly connections?: PrincipalCount
  /** Answers requests of windows that concern no document; by default it knows no method. */
  readonly respond?: RequestResponder
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({
  rooms,
  log,
  node = 'a',
  secret = randomBytes(32),
  forwarder = { forward: () => null },
  offers = [],
  maxLagBytes,
  keepMs = KEEP_MS,
  principalSessions = new PrincipalSessions(null),
  counts = new ServerCounts(),
  meter = new Meter(),
  tracing = noTracing,
  bufferBudget = new BufferBudget(),
  connections = new PrincipalCount(),
  respond = async () => null,
}: SessionsOptions) {
  const stateBudget = new StateBudget()
  const sessions = new Map<string, ServerSession>()
  const ids = new SessionIds(node, secret)
  const links = new Set<Link>()
  const forwardedLinks = new Set<Link>()
  const countOverload = (): void => incrementCount(counts.refusals, 'overloaded')
  let draining = false
  const timer = setInterval(checkSessions, livenessTiming.checkMs)
  timer.unref()

  return {
    accept,
    acceptForwarded,
    finish,
    closeLinks,
    drain: () => finish().then(closeLinks),
    get draining(): boolean {
      return draining
    },
    /** Counts the open links by transport. */
    countLinks: () => countBy(links, ({ info }) => info.transport),
    /** Counts the sessions by the transport of the link they send on; `none` are those without a link. */
    countByTransport: () => countBy(sessions.values(), ({ transport }) => transport ?? 'none'),
    /** The number of live sessions, with or without a link. */
    get count(): number {
      return sessions.size
    },
  }

  /** Several windows of one browser may share the link (`shared`): each has a sub-link, and closes it without ending the link. */
  function accept(acceptedLink: Link, principal: Principal): Sink {
    const link = new ChargedLink(acceptedLink, bufferBudget, principal.id, countOverload)
    // A window says hello in a later request, or over the socket: it is a child of the request that opened the link.
    const withinRequest = tracing.bind()
    const waiting = new PendingPieces(MAX_MESSAGE_BYTES, (bytes) => link.chargePartial(bytes))
    let cancelIdle = closeWithoutHello(link)
    const multiplexer = new Multiplexer({
      limit: MAX_SESSIONS_ON_A_LINK,
      accept(subLink) {
        cancelIdle()
        return acceptSubLink(subLink, principal, { link, waiting, withinRequest })
      },
      onEmpty: () => void (cancelIdle = closeWithoutHello(link)),
    }).attachTo(link)
    const hasRoom = connections.hasRoomFor(principal)
    const releaseConnection = connections.add(principal)
    links.add(link)
    if (draining)
      link.close(goingAwayReason()) // accepted just before the drain
    else if (!hasRoom) {
      incrementCount(counts.refusedAdmissions, 'too-many')
      link.close(connections.refusal(principal))
    }
    return {
      onFrame: (frame) => multiplexer.onFrame(frame),
      onClosed(reason) {
        links.delete(link)
        releaseConnection()
        multiplexer.onClosed(reason)
        cancelIdle()
        link.onClosed()
      },
    }
  }

  /**
   * Accepts the link of one session that another node forwards (S10). It may resume a session of this node, and nothing else: the
   * other node opens new ones itself. Frames that are not a session's of this node do not end here, and neither do links: nothing but
   * its session is counted.
   */
  function acceptForwarded(acceptedLink: Link, principal: Principal): Sink {
    const link = new ChargedLink(acceptedLink, bufferBudget, principal.id, countOverload)
    const waiting = new PendingPieces(MAX_MESSAGE_BYTES, (bytes) => link.chargePartial(bytes))
    const charged = { link, waiting, withinRequest: tracing.bind() }
    const sink = acceptSubLink(link, principal, charged, 'by another node')
    forwardedLinks.add(link)
    if (draining) link.close(goingAwayReason()) // accepted just before the drain
    return {
      onFrame: (frame) => sink.onFrame(frame),
      onClosed(reason) {
        forwardedLinks.delete(link)
        sink.onClosed(reason)
        link.onClosed()
      },
    }
  }

  /** @param forwarded Set where another node would not be asked again: because it has forwarded the link, or did not answer. */
  function acceptSubLink(
    link: Link,
    principal: Principal,
    charged: ChargedOpening,
    forwarded?: 'by another node' | 'in vain',
  ): Sink {
    const joiner = new FrameJoiner(charged.waiting)
    let current: { sessionLink: SessionLink; session: ServerSession } | null = null
    /** Receives all frames once they are another node's, or where that one did not answer. */
    let successor: Sink | null = null
    let isFirstFrame = true
    const { withinRequest } = charged
    let withinSession = withinRequest
    const traffic = counts.trafficOf(link.info.transport)
    const cancelHello = closeWithoutHello(link)
    return {
      onFrame(frame) {
        if (successor) return successor.onFrame(frame)
        try {
          traffic.bytesReceived += frame.length
          current?.session.onReceived()
          const messages = joiner.push(frame)
          if (messages)
            for (const message of readClientMessages(messages)) if (!receive(message, frame)) return
          isFirstFrame = false
        } catch (error) {
          link.close(reasonFor(error, current?.session.id))
        }
      },
      onClosed(reason) {
        cancelHello()
        joiner.dropPieces()
        current?.session.removeLink(current.sessionLink)
        successor?.onClosed(reason)
      },
    }

    /** Returns false if the rest of the frame is another node's. */
    function receive(message: ClientMessage, frame: Uint8Array<ArrayBuffer>): boolean {
      traffic.messagesReceived += 1
      if (current) {
        receiveWithin(current, message)
        return true
      }
      if (message.type !== 'hello')
        throw new ProtocolError('bad-message', serverRefusalsStrings.session.beforeHello(message.type))
      cancelHello()
      // No window sends its hello in pieces.
      if (isFirstFrame && !forwarded && message.resume && forwardLink(message.resume.id, frame)) return false
      withinRequest(() =>
        tracing.span('session open', { 'diptych.transport': link.info.transport }, (span) => {
          const session = sessionForHello(message, principal, forwarded === 'by another node')
          current = { session, sessionLink: new SessionLink(link, traffic) }
          span.set({ 'diptych.session': session.id, 'diptych.resumed': message.resume?.id === session.id })
          sendWelcome(message, session, current.sessionLink)
          withinSession = tracing.bind()
        }),
      )
      return true
    }

    function forwardLink(session: string, hello: Uint8Array<ArrayBuffer>): boolean {
      const nodeSink = forwarder.forward(session, {
        link,
        principal,
        chargeWaiting: (bytes) => charged.link.chargePartial(bytes),
        onUnanswered(frames) {
          successor = acceptSubLink(link, principal, charged, 'in vain')
          for (const frame of frames) successor.onFrame(frame)
        },
      })
      if (!nodeSink) return false
      successor = nodeSink
      nodeSink.onFrame(hello)
      return true
    }

    /** What an attach opens belongs to the session; the other messages open nothing. */
    function receiveWithin(
      { session, sessionLink }: NonNullable<typeof current>,
      message: ClientMessage,
    ): void {
      if (message.type === 'attach') withinSession(() => session.receive(sessionLink, message))
      else session.receive(sessionLink, message)
    }
  }

  function sessionForHello(
    { protocol, schema, resume }: HelloMessage,
    principal: Principal,
    mustResume: boolean,
  ): ServerSession {
    if (protocol !== PROTOCOL_VERSION || schema < SCHEMA_VERSION) {
      const supported = { protocol: PROTOCOL_VERSION, schema: SCHEMA_VERSION }
      throw new ProtocolError('version', serverRefusalsStrings.session.version(protocol, schema, supported))
    }
    const resumed = resume && findResumable(resume, principal)
    if (!resumed && mustResume) throw new ProtocolError('lost', serverRefusalsStrings.session.notHere)
    return resumed ?? openNewSession(principal, resume)
  }

  function sendWelcome({ resume }: HelloMessage, session: ServerSession, sessionLink: SessionLink): void {
    const { id, secret, received } = session
    const resumed = resume?.id === id
    session.addLink(sessionLink)
    const serverFields = { principal: session.principal.id, offers: offers.join(',') }
    sessionLink.send([
      encodeServerMessage({ type: 'welcome', id, secret, resumed, received, ...serverFields }),
    ])
    if (!resumed) session.takeOver(sessionLink, 0)
    else if (resume.take) session.takeOver(sessionLink, resume.received)
  }

  function findResumable({ id, secret }: ResumeRequest, principal: Principal): ServerSession | null {
    const session = sessions.get(id)
    return session?.isOpenFor(principal, secret) ? session : null
  }

  /**
   * @param former The session that the window had before, and that is gone.
   * @throws {ProtocolError} if the principal has too many already, and all of them have a link.
   */
  function openNewSession(principal: Principal, former: ResumeRequest | null): ServerSession {
    principalSessions.evictOldestIfFull(principal)
    const session = new ServerSession({
      ...ids.create(principal, former),
      principal,
      rooms,
      log,
      stateBudget,
      meter,
      counts,
      respond,
      ...(maxLagBytes && { maxLagBytes }),
      bufferBudget,
      onLinkChanged: (changed) => principalSessions.onLinkChanged(changed),
      onEnded(ended) {
        sessions.delete(ended.id)
        principalSessions.remove(ended)
      },
    })
    sessions.set(session.id, session)
    principalSessions.add(session)
    return session
  }

  /** Ends sessions that nobody comes back to, as a closed or reloaded window leaves behind. */
  function checkSessions(): void {
    const now = realClock.now()
    for (const session of sessions.values()) {
      session.check()
      const since = session.linklessSince
      if (since !== null && now - since > keepMs) session.end({ code: 'timeout' })
    }
  }

  /** Takes no new sessions, and waits until all that was accepted is answered. */
  async function finish(): Promise<void> {
    draining = true
    clearInterval(timer)
    const deadline = realClock.now() + DRAIN_MS
    while (realClock.now() < deadline && [...sessions.values()].some(({ inFlight }) => inFlight > 0)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await new Promise((resolve) => setImmediate(resolve)) // the last acknowledgements are sent before the close
  }

  /** Closes all links so that clients reconnect. */
  function closeLinks(): void {
    for (const link of [...links, ...forwardedLinks]) link.close(goingAwayReason())
  }

  /** @param session The id of the link's session, if it has one. */
  function reasonFor(error: unknown, session?: string): CloseReason {
    if (error instanceof ProtocolError) {
      incrementCount(counts.refusals, error.reason.code)
      return error.reason
    }
    log.error({ session, err: error }, 'link failed')
    return { code: 'overloaded', detail: serverRefusalsStrings.session.serverError, retryAfterMs: 1_000 }
  }
}

function countBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): ReadonlyMap<Key, number> {
  const counted = new Map<Key, number>()
  for (const item of items) incrementCount(counted, keyOf(item))
  return counted
}
