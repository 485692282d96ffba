/**
 * The windows of one browser that exchange messages about one thing, on the broadcast channel of its name. A window is a member from its
 * first message until it says goodbye, or its lock is free: so the others notice its end, however it ends.
 *
 *   newcomer: hello ──▶ everybody: here ──▶ newcomer          then: any message … bye
 *
 * Knows a broadcast channel and locks; does not know what the messages are about.
 */
import type { BroadcastChannelLike } from '../broadcast-channel.ts'
import type { LocksLike } from '../locks.ts'
import { randomId } from '../protocol/ids.ts'
import { type WindowLock, onWindowGone } from './window-lock.ts'

export interface WindowGroupPlatform {
  channel(name: string): BroadcastChannelLike
  /** The lock of this window. Undefined in a browser without Web Locks: there only a goodbye shows that a window is gone. */
  readonly own?: WindowLock
  readonly locks?: LocksLike
}

/** This page as one window among those of its browser. */
export interface WindowPlatform extends WindowGroupPlatform {
  readonly own: WindowLock
  readonly locks: LocksLike
}

/** `hello` joins, `here` answers it, and `bye` leaves. */
interface GroupMessageBody {
  readonly type: string
}

export type GroupMessage<Body> = Body & {
  readonly from: string
  /** The window whose lock shows that the sender lives. */
  readonly window?: string
  /** Without it, the message is for everybody. */
  readonly to?: string
}

interface WindowGroupHandlers<Body> {
  /** What this member says of itself when it joins, and to whoever joins later. */
  greet(type: 'hello' | 'here'): Body
  /** Called for every message. A `hello` has been answered by then. */
  onMessage(message: GroupMessage<Body>): void
  onGone(member: string): void
}

export class WindowGroup<Body extends GroupMessageBody> {
  /** A page may join a group twice, so the window's id does not always identify the member. */
  readonly id: string
  readonly #platform: WindowGroupPlatform
  readonly #handlers: WindowGroupHandlers<Body>
  /** Each with a function that stops watching its lock. */
  readonly #members = new Map<string, () => void>()
  #channel: BroadcastChannelLike | null = null
  #hasLeft = false

  constructor(platform: WindowGroupPlatform, handlers: WindowGroupHandlers<Body>, id = randomId()) {
    this.#platform = platform
    this.#handlers = handlers
    this.id = id
  }

  /** No member would receive a message. A newcomer says hello, and is answered with what this member says by then. */
  get isAlone(): boolean {
    return this.#members.size === 0
  }

  join(name: string): void {
    const whenHeld = this.#platform.own?.whenHeld ?? Promise.resolve()
    whenHeld.then(
      () => this.#openChannel(name),
      () => {}, // without its lock the others would take it for gone
    )
  }

  /** @param to A member; everybody when it is not given. */
  post(body: Body, to?: string): void {
    const { own } = this.#platform
    this.#channel?.postMessage({
      ...body,
      from: this.id,
      ...(own && { window: own.id }),
      ...(to !== undefined && { to }),
    } satisfies GroupMessage<Body>)
  }

  leave(bye: Body): void {
    if (this.#hasLeft) return
    this.post(bye)
    this.#hasLeft = true
    this.#channel?.close()
    this.#channel = null
    for (const stopWatching of this.#members.values()) stopWatching()
    this.#members.clear()
  }

  #openChannel(name: string): void {
    if (this.#hasLeft) return
    this.#channel = this.#platform.channel(name)
    this.#channel.addEventListener('message', ({ data }) => this.#receive(data as GroupMessage<Body>))
    this.post(this.#handlers.greet('hello'))
  }

  #receive(message: GroupMessage<Body>): void {
    const { from, to, type } = message
    // A page of an earlier version may use the same channel: its messages name no member.
    if (this.#hasLeft || typeof from !== 'string' || (to !== undefined && to !== this.id)) return
    this.#addMember(message)
    if (type === 'hello') this.post(this.#handlers.greet('here'), from)
    this.#handlers.onMessage(message)
    if (type === 'bye') this.#removeMember(from)
  }

  #addMember({ from, window }: GroupMessage<Body>): void {
    if (this.#members.has(from)) return
    const { locks } = this.#platform
    const stopWatching =
      locks && window !== undefined ? onWindowGone(locks, window, () => this.#removeMember(from)) : () => {}
    this.#members.set(from, stopWatching)
  }

  #removeMember(member: string): void {
    const stopWatching = this.#members.get(member)
    if (!stopWatching) return
    stopWatching()
    this.#members.delete(member)
    this.#handlers.onGone(member)
  }
}
