/**
 * Starts a TCP proxy that counts and delays bytes, in a thread of its own: it takes no time of the server's or the clients' threads.
 * It takes time of the machine, so that bytes are counted in trials whose times are not compared.
 */
import { RequestWorker } from '../../e2e/fixtures/worker-requests.ts'

export interface ProxyBytes {
  /** From clients to the server, with everything that TCP carries: TLS, HTTP, frames; without the headers of TCP and IP. */
  readonly up: number
  readonly down: number
}

/** Counts the bytes that pass while the work is done; none without a proxy. */
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
  /** Forwards connections to that port, from the next one on. The proxy's own port is known earlier, for the server's ALLOWED_ORIGINS. */
  target(port: number): Promise<void>
  /** Delays each byte by so many ms in each direction, from the next one on. */
  delay(ms: number): Promise<void>
  /** Ends every connection at once; new ones work. */
  cut(): Promise<void>
  bytes(): Promise<ProxyBytes>
  close(): Promise<void>
}

/** A request without any of these asks for the bytes alone. */
export interface ProxyRequest {
  readonly target?: number
  readonly delayMs?: number
  readonly cut?: true
}

export type ProxyAnswer = { readonly port: number } & ProxyBytes

export async function startProxy(): Promise<CountingProxy> {
  const worker = new RequestWorker<ProxyRequest>(new URL('counting-proxy-thread.ts', import.meta.url))
  const request = (wanted: ProxyRequest) => worker.request(wanted) as Promise<ProxyAnswer>
  const { port } = await request({})
  return {
    port,
    target: async (target) => void (await request({ target })),
    delay: async (delayMs) => void (await request({ delayMs })),
    cut: async () => void (await request({ cut: true })),
    async bytes() {
      const { up, down } = await request({})
      return { up, down }
    },
    close: () => worker.terminate(),
  }
}
