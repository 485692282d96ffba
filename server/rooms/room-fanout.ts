/**
 * Connects a room with the rooms of the same document part on other nodes: it broadcasts what this node has committed and who is here,
 * and keeps who is there. Knows messages and members; does not know the text.
 */
import { randomInt } from 'node:crypto'
import timers from 'node:timers/promises'
import { readPresenceUpdate, writePresenceUpdate } from '../../lib/protocol/presence-update.ts'
import { type Fanout, type FanoutSubscription, SMALL_MESSAGE_BYTES } from '../fanout/fanout.ts'
import type { DocumentEdit } from '../store/store.ts'
import { startTimeout } from '../timeouts.ts'
import { ClientReservations } from './client-reservations.ts'
import type { ReservationQuestions } from './reservation-questions.ts'
import {
  readRoomMessage,
  type RemoteMember,
  type ReservationsMessage,
  type RoomMessage,
  type SentMember,
  writeRoomMessage,
} from './room-messages.ts'
import type { RoomMember } from './room-members.ts'

/** So many members of a node are remembered after they left: a message of theirs may come later than the one that says so. */
const MAX_LEFT_KEYS = 1_000
/** So many nodes are remembered after they were gone: one that was suspended comes back, and one that died never does. */
const MAX_GONE_NODES = 100
/** A batch of more bytes is announced, and read from the log. */
const MAX_MESSAGE_BYTES = 256 * 1024
/** After the last commit its number is sent once more: a lost message is noticed by then, also when nobody writes on. */
const HEAD_MS = 1_000
/** The database ends a transaction of a node that is gone within 12 s (server/store/postgres/connections.ts): until then it may commit. */
const LATE_COMMIT_MS = 15_000
/** A room does not wait longer for the medium before it opens; what is missed meanwhile is read from the log. */
const READY_MS = 1_000
/**
 * Nor does it wait longer for the client ids that windows of other nodes have announced: a node may have stopped, or be of a release that
 * does not answer. The time is cut into turns, since a process that stands still meanwhile has heard nobody.
 */
const ANSWER_TURNS = 10
const ANSWER_TURN_MS = 25

export interface RoomFanoutHandlers {
  /** How long a message of edits was on its way, as far as the clocks of both nodes agree. */
  onLag(ms: number): void
  onEdits(first: number, updates: readonly Uint8Array[], owners: ReadonlyMap<number, string>): void
  onHead(sequence: number): void
  onCompacted(sequence: number): void
  onPresence(member: RemoteMember, update: Uint8Array): void
  onLeft(member: RemoteMember): void
  onTrace(from: number, to: number, bytes: Uint8Array): void
  /** Returns what each member of this node shows. */
  onHello(): readonly { member: RoomMember; update: Uint8Array }[]
  /** Messages may have been lost. */
  onInterrupted(): void
  onFailed(error: unknown): void
}

export class RoomFanout {
  readonly #fanout: Fanout
  readonly #node: string
  readonly #topic: string
  /** The client ids that windows of all these nodes have announced. */
  readonly reservations = new ClientReservations((message) => this.#publish(message))
  #handlers: RoomFanoutHandlers | null = null
  readonly #subscription: FanoutSubscription
  readonly #keys = new Map<RoomMember, number>()
  /** Begins anywhere, so that a room which is opened again gives its members other keys. */
  #latestKey = randomInt(2 ** 40)
  readonly #remoteMembers = new Map<string, Map<number, RemoteMember>>()
  readonly #leftKeys = new Map<string, Set<number>>()
  /** The nodes from which something came. */
  readonly #knownNodes = new Set<string>()
  /** Those of them whose members were forgotten, the latest ones last. */
  readonly #goneNodes = new Set<string>()
  readonly #questions: ReservationQuestions | null
  #answered: Promise<void> = Promise.resolve()
  /** Called when a node has told all that its windows have announced. */
  #onAnswer = (_node: string): void => {}
  readonly #unregister: () => void
  #isReady = false
  /** The room was loaded before messages arrived. */
  #isLate = false
  #wasInterrupted = false
  #head = 0
  #cancelHead: (() => void) | null = null
  #cancelLateCommit: (() => void) | null = null

  constructor(fanout: Fanout, node: string, topic: string, questions: ReservationQuestions | null = null) {
    this.#fanout = fanout
    this.#questions = questions
    this.#unregister = questions?.register(topic, this.reservations) ?? (() => {})
    this.#node = node
    this.#topic = topic
    this.#subscription = fanout.subscribe(topic, {
      onMessage: (bytes) => this.#receive(bytes),
      onInterrupted: () => this.#onInterrupted(),
    })
    void this.#subscription.ready.then(() => {
      this.#isReady = true
      if (this.#isLate) this.#onInterrupted()
    })
  }

  /** Resolves when messages arrive, or when that takes too long. */
  async whenReady(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = startTimeout(READY_MS, resolve)
    await Promise.race([this.#subscription.ready, late])
    cancel()
    this.#isLate = !this.#isReady
    if (!this.#isLate && this.#questions) this.#answered = this.#waitForAnswers(this.#questions)
  }

  async #waitForAnswers(questions: ReservationQuestions): Promise<void> {
    if (questions.otherNodes === 0) return
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    const nodes = new Set<string>()
    this.#onAnswer = (node) => {
      if (nodes.add(node).size >= questions.otherNodes) resolve()
    }
    questions.ask(this.#topic)
    for (let turn = 0; turn < ANSWER_TURNS && nodes.size < questions.otherNodes; turn++)
      await Promise.race([answered, timers.setTimeout(ANSWER_TURN_MS)])
  }

  /**
   * Resolves when the client ids are known that windows of other nodes have announced, or when that takes too long: who is the first to
   * open the part on this node could otherwise take one of these.
   */
  whenAnswered(): Promise<void> {
    return this.#answered
  }

  /** The room is loaded: it takes in what was committed meanwhile, and asks who is there on other nodes. */
  connect(handlers: RoomFanoutHandlers): void {
    this.#handlers = handlers
    handlers.onHead(this.#head)
    if (this.#wasInterrupted) handlers.onInterrupted()
    this.#publish({ type: 'hello' })
  }

  /** What was lost may have been a question, too: this node answers it unasked. */
  #onInterrupted(): void {
    this.#wasInterrupted = true
    this.#handlers?.onInterrupted()
    if (this.#handlers) this.#answerHello(this.#handlers)
    this.reservations.answer()
    this.#ask()
  }

  #ask(): void {
    this.#publish({ type: 'hello' })
    this.#publish({ type: 'reservations asked' })
  }

  publishEdits(first: number, edits: readonly DocumentEdit[]): void {
    this.#head = first + edits.length - 1
    this.#cancelHead ??= startTimeout(HEAD_MS, () => {
      this.#cancelHead = null
      this.#publish({ type: 'head', sequence: this.#head })
    })
    const bytes = edits.reduce((sum, { update }) => sum + update.length, 0)
    const head = writeRoomMessage(this.#node, { type: 'head', sequence: this.#head })
    if (bytes > MAX_MESSAGE_BYTES) return this.#fanout.publish(this.#topic, head)
    const owners = new Map(
      edits.flatMap(({ claims = [] }) => claims.map(({ client, principal }) => [client, principal] as const)),
    )
    const updates = edits.map(({ update }) => update)
    const message = writeRoomMessage(this.#node, {
      type: 'edits',
      sentAt: Date.now(),
      first,
      updates,
      owners,
    })
    this.#fanout.publish(this.#topic, message, head)
  }

  publishCompaction(sequence: number): void {
    this.#publish({ type: 'compacted', sequence })
  }

  publishPresence(member: RoomMember, update: Uint8Array): void {
    this.#publishUpdate(this.#sentMemberOf(member), update)
  }

  /** A stock client shows up to four states, which together may be too long. */
  #publishUpdate(member: SentMember, update: Uint8Array): void {
    if (this.#publishSmall({ type: 'presence', member, update })) return
    for (const state of readPresenceUpdate(update))
      this.#publish({ type: 'presence', member, update: writePresenceUpdate([state]) })
  }

  publishLeft(member: RoomMember): void {
    const key = this.#keys.get(member)
    if (key === undefined) return
    this.#keys.delete(member)
    this.#publish({ type: 'left', key })
  }

  publishTrace(from: number, to: number, bytes: Uint8Array): void {
    this.#publish({ type: 'trace', from, to, bytes })
  }

  /** The node is gone, and its members with it. What it has stored last it may not have told. */
  removeNode(node: string): void {
    if (!this.#knownNodes.delete(node)) return
    this.#goneNodes.add(node)
    if (this.#goneNodes.size > MAX_GONE_NODES) this.#goneNodes.delete(this.#goneNodes.values().next().value!)
    this.#leftKeys.delete(node)
    this.reservations.removeNode(node)
    this.#replaceMembers(node, new Map())
    this.#handlers?.onInterrupted()
    this.#cancelLateCommit?.()
    this.#cancelLateCommit = startTimeout(LATE_COMMIT_MS, () => this.#handlers?.onInterrupted())
  }

  /** The node is heard again, because it was suspended or cut off: its members are forgotten here, and it may know nothing of that. */
  takeBackNode(node: string): void {
    if (this.#goneNodes.delete(node)) this.#ask()
  }

  close(): void {
    this.#cancelHead?.()
    this.#cancelLateCommit?.()
    this.#publish({ type: 'present', members: [] })
    this.#unregister()
    this.reservations.close()
    this.#subscription.end()
  }

  #publish(message: RoomMessage): void {
    this.#fanout.publish(this.#topic, writeRoomMessage(this.#node, message))
  }

  /** Whatever another node sends, nothing is thrown into the medium. */
  #receive(bytes: Uint8Array): void {
    try {
      const received = readRoomMessage(bytes)
      if (!received || received.node === this.#node) return
      this.#knownNodes.add(received.node)
      this.takeBackNode(received.node)
      if (received.message.type === 'reservations') this.#receiveReservations(received.node, received.message)
      else if (received.message.type === 'reservations asked') this.reservations.answer()
      else if (this.#handlers) this.#handle(received.node, received.message, this.#handlers)
      else this.#noteHead(received.message)
    } catch (error) {
      this.#handlers?.onFailed(error)
    }
  }

  /** Also before the room is loaded. */
  #receiveReservations(node: string, message: ReservationsMessage): void {
    this.reservations.receive(node, message)
    if (message.isWhole) this.#onAnswer(node)
  }

  /** Before the room is loaded, only the numbers count: they show what it will have missed. */
  #noteHead(message: RoomMessage): void {
    if (message.type === 'head') this.#head = Math.max(this.#head, message.sequence)
    if (message.type === 'edits')
      this.#head = Math.max(this.#head, message.first + message.updates.length - 1)
  }

  #handle(
    node: string,
    message: Exclude<RoomMessage, { type: 'reservations' | 'reservations asked' }>,
    handlers: RoomFanoutHandlers,
  ): void {
    switch (message.type) {
      case 'edits':
        handlers.onLag(Math.max(0, Date.now() - message.sentAt))
        return handlers.onEdits(message.first, message.updates, message.owners)
      case 'head':
        return handlers.onHead(message.sequence)
      case 'compacted':
        return handlers.onCompacted(message.sequence)
      case 'presence':
        if (this.#hasLeft(node, message.member)) return
        return handlers.onPresence(this.#remoteMemberOf(node, message.member), message.update)
      case 'left':
        this.#rememberLeft(node, message.key)
        return this.#removeMember(node, message.key)
      case 'hello':
        return this.#answerHello(handlers)
      case 'present':
        return this.#receivePresent(
          node,
          message.members.filter(({ member }) => !this.#hasLeft(node, member)),
          handlers,
        )
      case 'present keys':
        return this.#keepMembers(node, new Set(message.keys))
      case 'trace':
        return handlers.onTrace(message.from, message.to, message.bytes)
    }
  }

  #answerHello(handlers: RoomFanoutHandlers): void {
    const members = handlers
      .onHello()
      .map(({ member, update }) => ({ member: this.#sentMemberOf(member), update }))
    // Also nobody: whoever asks may still show those who left meanwhile.
    if (this.#publishSmall({ type: 'present', members })) return
    for (const { member, update } of members) this.#publishUpdate(member, update)
    this.#publishSmall({ type: 'present keys', keys: members.map(({ member }) => member.key) })
  }

  /** Returns false for a message that not every medium carries. */
  #publishSmall(message: RoomMessage): boolean {
    const bytes = writeRoomMessage(this.#node, message)
    const isSmall = bytes.length <= SMALL_MESSAGE_BYTES
    if (isSmall) this.#fanout.publish(this.#topic, bytes)
    return isSmall
  }

  #receivePresent(
    node: string,
    members: readonly { member: SentMember; update: Uint8Array }[],
    handlers: RoomFanoutHandlers,
  ): void {
    const present = new Map(
      members.map(({ member }) => [member.key, this.#knownMember(node, member.key) ?? { ...member, node }]),
    )
    this.#replaceMembers(node, present)
    for (const { member, update } of members) handlers.onPresence(present.get(member.key)!, update)
  }

  #hasLeft(node: string, { key }: SentMember): boolean {
    return this.#leftKeys.get(node)?.has(key) ?? false
  }

  #rememberLeft(node: string, key: number): void {
    const keys = this.#leftKeys.get(node) ?? new Set()
    this.#leftKeys.set(node, keys.add(key))
    if (keys.size > MAX_LEFT_KEYS) keys.delete(keys.values().next().value!)
  }

  /** The node has no others. */
  #keepMembers(node: string, keys: ReadonlySet<number>): void {
    const members = [...(this.#remoteMembers.get(node) ?? [])].filter(([key]) => keys.has(key))
    this.#replaceMembers(node, new Map(members))
  }

  #replaceMembers(node: string, members: Map<number, RemoteMember>): void {
    const former = this.#remoteMembers.get(node)
    if (members.size > 0) this.#remoteMembers.set(node, members)
    else this.#remoteMembers.delete(node)
    for (const [key, member] of former ?? []) if (!members.has(key)) this.#handlers?.onLeft(member)
  }

  #removeMember(node: string, key: number): void {
    const member = this.#knownMember(node, key)
    if (!member) return
    const members = this.#remoteMembers.get(node)!
    members.delete(key)
    if (members.size === 0) this.#remoteMembers.delete(node)
    this.#handlers?.onLeft(member)
  }

  #knownMember(node: string, key: number): RemoteMember | undefined {
    return this.#remoteMembers.get(node)?.get(key)
  }

  #remoteMemberOf(node: string, member: SentMember): RemoteMember {
    const known = this.#knownMember(node, member.key)
    if (known) return known
    const remoteMember = { ...member, node }
    const members = this.#remoteMembers.get(node)
    if (members) members.set(member.key, remoteMember)
    else this.#remoteMembers.set(node, new Map([[member.key, remoteMember]]))
    return remoteMember
  }

  #sentMemberOf(member: RoomMember): SentMember {
    let key = this.#keys.get(member)
    if (key === undefined) this.#keys.set(member, (key = ++this.#latestKey))
    const { principal, isStock } = member
    return { key, principal: principal.id, isByLink: principal.token !== undefined, isStock }
  }
}
