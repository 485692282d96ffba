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

export type ProxyOrder =
  | { readonly do: 'target'; readonly port: number }
  | { readonly do: 'delay'; readonly ms: number }
  | { readonly do: 'cut' | 'bytes' }

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
    target: async (to) => void (await order({ do: 'target', port: to })),
    delay: async (ms) => void (await order({ do: 'delay', ms })),
    cut: async () => void (await order({ do: 'cut' })),
    bytes: async () => {
      const { up, down } = await order({ do: 'bytes' })
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
