/**
 * A TCP proxy that causes network faults. It knows bytes alone, so that every transport meets the same fault: the browser's own
 * "offline" leaves an open stream running.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { sleepUntil } from './sleep-until.ts'

export type StreamDirection = 'up' | 'down'

export interface NetworkFaults {
  /** The least milliseconds that each byte travels one way. */
  delayMs: number
  /** Up to so many more milliseconds, at random; the order stays. */
  jitterMs: number
  /** Resets new connections. */
  refuse: boolean
  /** Lets nothing pass in a direction, and closes nothing. */
  frozen: Record<StreamDirection, boolean>
  /** Accepts bytes in a direction and drops them. Such a connection stays damaged: `heal` resets it. */
  dropped: Record<StreamDirection, boolean>
  /** The age at which a connection is reset. */
  cutAfterMs: number
  /** Bytes a second in each direction of one connection. */
  bytesPerSecond: number
  /** The largest piece that is passed on at once. */
  sliceBytes: number
}

interface DelayedBytes {
  readonly bytes: Buffer
  readonly due: number
}

/** Stops reading while so much waits, so that a throttled peer notices it. */
const MAX_DELAYED_BYTES = 256 * 1024

export class FaultProxy {
  readonly passedBytes: Record<StreamDirection, number> = { up: 0, down: 0 }
  readonly port: number
  targetPort = 0
  #faults: NetworkFaults = noNetworkFaults()
  #faultsChanged = Promise.withResolvers<void>()
  readonly #sockets = new Set<Socket>()
  /** Sockets whose other end never notices that they are dead. */
  readonly #halfOpenSockets = new WeakSet<Socket>()
  /** Sockets that lost bytes on the way. */
  readonly #damagedSockets = new WeakSet<Socket>()
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket) => this.#forwardConnection(socket))
  }

  /** Set `targetPort` before the first connection: the proxy's port is needed earlier, for the server's allowed origins. */
  static async listen(): Promise<FaultProxy> {
    const server = createServer({ noDelay: true, allowHalfOpen: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new FaultProxy(server)
  }

  setFaults(faults: Partial<NetworkFaults>): void {
    this.#faults = { ...this.#faults, ...faults }
    this.#faultsChanged.resolve()
    this.#faultsChanged = Promise.withResolvers()
  }

  /** Ends every connection at once; new ones work. */
  cutConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  /** Silences the open connections without closing them; new ones work. */
  makeHalfOpen(): void {
    for (const socket of this.#sockets) this.#halfOpenSockets.add(socket)
  }

  goOffline(): void {
    this.setFaults({ refuse: true })
    this.cutConnections()
  }

  /** Ends all faults. Frozen connections continue; those that were half open or lost bytes are reset. */
  heal(): void {
    for (const socket of this.#sockets)
      if (this.#halfOpenSockets.has(socket) || this.#damagedSockets.has(socket)) socket.resetAndDestroy()
    this.setFaults(noNetworkFaults())
  }

  async close(): Promise<void> {
    this.cutConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #forwardConnection(client: Socket): void {
    if (this.#faults.refuse) {
      client.resetAndDestroy()
      return
    }
    const target = connect({ port: this.targetPort, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', (failed) => {
        this.#sockets.delete(socket)
        if (failed) other.destroy()
      })
    }
    const { cutAfterMs } = this.#faults
    if (Number.isFinite(cutAfterMs)) {
      const timer = setTimeout(() => client.resetAndDestroy(), cutAfterMs)
      client.once('close', () => {
        clearTimeout(timer)
        target.destroy()
      })
    }
    void this.#forwardBytes(client, target, 'up')
    void this.#forwardBytes(target, client, 'down')
  }

  /** Never rejects: it ends when a socket breaks. */
  async #forwardBytes(from: Socket, to: Socket, direction: StreamDirection): Promise<void> {
    const queue = new DelayQueue()
    let delayedBytes = 0
    let lastDue = 0
    from.on('data', (bytes: Buffer) => {
      delayedBytes += bytes.length
      if (delayedBytes > MAX_DELAYED_BYTES) from.pause()
      const { delayMs, jitterMs } = this.#faults
      lastDue = Math.max(lastDue, performance.now() + delayMs + Math.random() * jitterMs)
      queue.push({ bytes, due: lastDue })
    })
    from.on('end', () => queue.end())
    from.on('close', () => queue.end())
    for (let next = await queue.shift(); next; next = await queue.shift()) {
      if (next.due > performance.now()) await sleepUntil(next.due)
      if (this.#faults.dropped[direction]) for (const socket of [from, to]) this.#damagedSockets.add(socket)
      else await this.#writeSlowly(next.bytes, to, direction)
      delayedBytes -= next.bytes.length
      from.resume()
    }
    if (!to.destroyed) to.end()
  }

  async #writeSlowly(bytes: Buffer, to: Socket, direction: StreamDirection): Promise<void> {
    for (let start = 0; start < bytes.length && !to.destroyed;) {
      while ((this.#faults.frozen[direction] || this.#halfOpenSockets.has(to)) && !to.destroyed)
        await this.#faultsChanged.promise
      const { sliceBytes, bytesPerSecond } = this.#faults
      const slice = bytes.subarray(start, start + Math.min(sliceBytes, bytesPerSecond))
      if (Number.isFinite(bytesPerSecond))
        await sleepUntil(performance.now() + (1000 * slice.length) / bytesPerSecond)
      await new Promise((resolve) => to.write(slice, resolve))
      this.passedBytes[direction] += slice.length
      start += slice.length
    }
  }
}

const noNetworkFaults = (): NetworkFaults => ({
  delayMs: 0,
  jitterMs: 0,
  refuse: false,
  frozen: { up: false, down: false },
  dropped: { up: false, down: false },
  cutAfterMs: Infinity,
  bytesPerSecond: Infinity,
  sliceBytes: Infinity,
})

class DelayQueue {
  readonly #items: DelayedBytes[] = []
  #ended = false
  #itemAdded = Promise.withResolvers<void>()

  push(item: DelayedBytes): void {
    this.#items.push(item)
    this.#itemAdded.resolve()
  }

  end(): void {
    this.#ended = true
    this.#itemAdded.resolve()
  }

  async shift(): Promise<DelayedBytes | undefined> {
    while (this.#items.length === 0 && !this.#ended) {
      await this.#itemAdded.promise
      this.#itemAdded = Promise.withResolvers()
    }
    return this.#items.shift()
  }
}
