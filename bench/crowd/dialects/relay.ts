/** A bare relay: what one says, all get, its author too. The floor of what a WebSocket server can do. */
import type { Dialect } from '../dialect.ts'
import { LightSocket } from '../light-socket.ts'

export const relay: Dialect = {
  beatMs: 15_000,
  echoes: true,
  open: (origin, { document }, hears) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Dialect['open']>>>()
    const socket = new LightSocket(`${origin.replace(/^http/, 'ws')}/${document}`)
    let over = false
    const close = (): void => {
      over = true
      socket.close()
    }
    socket.onopen = () => resolve({ say: (update) => socket.send(update), beat: () => {}, close })
    socket.onmessage = ({ data }: { data: ArrayBuffer }) => hears.update(new Uint8Array(data))
    socket.onerror = ({ message }: { message: string }) => reject(new Error(message))
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => {
      if (!over) hears.closed(`${code} ${reason}`)
    }
    return promise
  },
}
