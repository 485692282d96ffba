import { expect, test } from 'vitest'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { RoomRefusal } from '../rooms/rooms.ts'
import { closeSocket, closeSocketOnError } from './stock-close.ts'

/** Records what a socket is told, in order. */
function createSocket() {
  const calls: unknown[] = []
  return {
    calls,
    resume: () => void calls.push('resume'),
    close: (code?: number, reason?: string | Buffer) => void calls.push([code, reason]),
  }
}

const closeAfter = (error: unknown): unknown => {
  const socket = createSocket()
  closeSocketOnError(socket, error)
  return socket.calls.at(-1)
}

const codes: [CloseReason['code'], number][] = [
  ['forbidden', 4403],
  ['taken', 4409],
  ['bad-update', 4422],
  ['bad-frame', 4400],
  ['too-large', 4400],
  ['overloaded', 1013],
  ['full', 1013],
  ['behind', 1013],
  ['set-aside', 1013],
]

test.each(codes)('a client that is refused as %s gets the code %i, with the details', (code, closeCode) => {
  const detail = 'the details'
  expect(closeAfter(new RoomRefusal({ code, detail }))).toEqual([closeCode, expect.stringContaining(detail)])
})

test('bytes that do not decode stop it for good', () => {
  expect(closeAfter(new ProtocolError('bad-message', 'cut short'))).toEqual([
    4400,
    expect.stringContaining('cut short'),
  ])
  expect(closeAfter(new Error('unexpected'))).toEqual([4400, expect.not.stringContaining('unexpected')])
})

test('a socket is read again before it is closed, and its reason fits a close frame, in whole letters', () => {
  const socket = createSocket()
  closeSocket(socket, 1013, `${'x'.repeat(122)}é, and more`)
  expect(socket.calls).toEqual(['resume', [1013, 'x'.repeat(122)]])
})
