/**
 * A TCP proxy that counts bytes and delays them, in a process of its own: what it does costs neither the server nor the clients any
 * time of their threads. It costs the machine some: bytes are counted in trials whose time is not compared.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface ProxyBytes {
  /** From clients to the server, with everything that TCP carries: TLS, HTTP, frames. Not TCP's and IP's own headers. */
  readonly up: number
  readonly down: number
}

/** Bytes that went through while the work was done; undefined without a proxy. */
export async function countBytes<Result>(
  proxy: Pick<CountingProxy, 'bytes'> | undefined,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly bytes?: ProxyBytes }> {
  const before = await proxy?.bytes()
  const result = await work()
  const after = await proxy?.bytes()
  if (!before || !after) return { result }
  return { result, bytes: { up: after.up - before.up, down: after.down - before.down } }
}

export interface CountingProxy {
  readonly port: number
  /** Where to, from the next connection on. The port is known earlier, for the server's ALLOWED_ORIGINS. */
  target(port: number): Promise<void>
  /** One way, each way, in ms; from the next byte on. */
  delay(ms: number): Promise<void>
  /** Ends every connection at once; new ones are welcome. */
  cut(): Promise<void>
  bytes(): Promise<ProxyBytes>
  close(): Promise<void>
}

/** An order without any of these asks for the bytes alone. */
export interface ProxyOrder {
  readonly target?: number
  readonly delayMs?: number
  readonly cut?: true
}

export type ProxyAnswer = { readonly port: number } & ProxyBytes

export async function startProxy(): Promise<CountingProxy> {
  const child = fork(join(import.meta.dirname, 'proxy-process.ts'))
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  const answer = async (): Promise<ProxyAnswer> => ((await once(child, 'message')) as [ProxyAnswer])[0]
  const { port } = await answer()
  let last: Promise<unknown> = Promise.resolve()
  // One order at a time: answers carry no numbers.
  const order = (what: ProxyOrder): Promise<ProxyAnswer> => {
    const answered = last.then(() => {
      const next = answer()
      child.send(what)
      return next
    })
    last = answered.catch(() => {})
    return answered
  }
  return {
    port,
    target: async (target) => void (await order({ target })),
    delay: async (delayMs) => void (await order({ delayMs })),
    cut: async () => void (await order({ cut: true })),
    async bytes() {
      const { up, down } = await order({})
      return { up, down }
    },
    async close() {
      process.off('exit', end)
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}
