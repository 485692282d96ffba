/** A bare relay: what one says, all get, its author too. The floor of what a WebSocket server can do. */
import type { CrowdProtocol } from '../protocol.ts'
import { LightSocket } from '../light-socket.ts'

export const relay: CrowdProtocol = {
  heartbeatMs: 15_000,
  echoes: true,
  open: (origin, { document }, listener) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<CrowdProtocol['open']>>>()
    const socket = new LightSocket(`${origin.replace(/^http/, 'ws')}/${document}`)
    let over = false
    const close = (): void => {
      over = true
      socket.close()
    }
    socket.onopen = () =>
      resolve({ sendEdit: (update) => socket.send(update), sendHeartbeat: () => {}, close })
    socket.onmessage = ({ data }: { data: ArrayBuffer }) => listener.onUpdate?.(new Uint8Array(data))
    socket.onerror = ({ message }: { message: string }) => reject(new Error(message))
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => {
      if (!over) listener.onClosed?.(`${code} ${reason}`)
    }
    return promise
  },
}
