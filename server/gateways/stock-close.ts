/** How the connection of a stock Yjs client ends: a close code that says whether it may come back, and a reason in words. */
import type { WebSocket } from 'ws'
import { type CloseCode, type CloseReason, describeClose, fateOf } from '../../lib/protocol/close.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { RoomRefusal } from '../rooms/rooms.ts'

/** The package stops for good on 4400 to 4499, and reconnects after any other code. */
export const PERMANENT_CLOSE_CODES = {
  'sign-in': 4401,
  forbidden: 4403,
  taken: 4409,
  'bad-update': 4422,
  'bad-frame': 4400,
} as const
export const TRY_AGAIN_LATER = 1013
/** RFC 6455 leaves this much of a close frame to the reason. */
const MAX_REASON_BYTES = 123

type ClosableSocket = Pick<WebSocket, 'resume' | 'close'>

export function closeSocket(socket: ClosableSocket, code: number, message: string): void {
  let reason = message
  while (Buffer.byteLength(reason) > MAX_REASON_BYTES) reason = reason.slice(0, -1)
  socket.resume() // to read the client's close frame
  socket.close(code, reason)
}

/** @param error A refusal, or whatever was thrown while the client's bytes were read. */
export const stockCloseCodeOf = (error: unknown): CloseCode => reasonOf(error)?.code ?? 'bad-frame'

/** @param error As in `stockCloseCodeOf`. */
export function closeSocketOnError(socket: ClosableSocket, error: unknown): void {
  const reason = reasonOf(error)
  if (reason && fateOf(reason) === 'retry') return closeSocket(socket, TRY_AGAIN_LATER, describeClose(reason))
  const code = reason?.code
  const stopCode = code === 'forbidden' || code === 'bad-update' || code === 'taken' ? code : 'bad-frame'
  const message = reason ? describeClose(reason) : serverRefusalsStrings.stockGateway.undecodable
  closeSocket(socket, PERMANENT_CLOSE_CODES[stopCode], message)
}

const reasonOf = (error: unknown): CloseReason | null =>
  error instanceof RoomRefusal || error instanceof ProtocolError ? error.reason : null
