import { expect, test } from 'vitest'
import { createRoomMember } from './fixtures/room-member.ts'
import { Membership } from './membership.ts'
import type { Room } from './room.ts'

const member = createRoomMember({ client: 7 })
const bytes = Uint8Array.of(1, 2)
const clocks = new Map([[1, 2]])

/** Records what it was called with, and answers with the method's name. */
function createRoom() {
  const calls: unknown[][] = []
  const room = new Proxy({} as Room, {
    get:
      (_room, method) =>
      (...args: unknown[]) => {
        calls.push([method, ...args])
        return method
      },
  })
  return { calls, membership: new Membership(room, member) }
}

type Action = (membership: Membership) => unknown

test.each<[action: Action, method: string, args: unknown[]]>([
  [(it) => it.readStateVector(bytes), 'readStateVector', [bytes]],
  [(it) => it.resync(clocks, 9), 'resync', [member, clocks, 9]],
  [(it) => it.resync(clocks), 'resync', [member, clocks, 7]],
  [(it) => it.sendEdit(bytes, 3), 'receiveEdit', [member, bytes, 3]],
  [(it) => it.stateCostFor(clocks), 'stateCostFor', [clocks]],
  [(it) => it.lagBytes(), 'lagBytesOf', [member]],
  [(it) => it.catchUp(), 'catchUp', [member]],
  [(it) => it.sendPresence(bytes), 'receivePresence', [member, bytes]],
  [(it) => it.sendCaret('4'), 'receiveCaret', [member, '4']],
  [(it) => it.sendTrace(5, bytes), 'receiveTrace', [member, 5, bytes]],
  [(it) => it.computeDigest(), 'computeDigest', [member]],
  [(it) => it.askForPresence(), 'answerPresenceQuery', [member]],
  [(it) => it.resendPresence(), 'resendPresence', [member]],
  [(it) => it.hidePresence(), 'hidePresence', [member]],
  [(it) => it.leave(), 'leave', [member]],
])('%s calls %s of its room, for its member', (action, method, args) => {
  const { calls, membership } = createRoom()
  action(membership)
  expect(calls).toEqual([[method, ...args]])
})

test('it answers with what its room answers', () => {
  const { membership } = createRoom()
  const answers = [
    membership.sendEdit(bytes, 3),
    membership.readStateVector(bytes),
    membership.stateCostFor(clocks),
    membership.lagBytes(),
    membership.computeDigest(),
  ]
  expect(answers).toEqual(['receiveEdit', 'readStateVector', 'stateCostFor', 'lagBytesOf', 'computeDigest'])
})
