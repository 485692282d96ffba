import { expect, test } from 'vitest'
import { refuseOnError, RoomFaults } from './room-faults.ts'
import { RoomRefusal } from './rooms.ts'

const overloaded = expect.objectContaining({ reason: expect.objectContaining({ code: 'overloaded' }) })
const fail = (): never => {
  throw new Error('broken')
}

test('[A7] whatever is thrown but a refusal is reported, and the caller is refused', () => {
  const causes: string[] = []
  const faults = new RoomFaults((cause) => causes.push(String(cause)))
  const refusal = new RoomRefusal({ code: 'taken' })
  const refuse = (): never => {
    throw refusal
  }
  expect(faults.contain(() => 'answer')).toBe('answer')
  expect(() => faults.contain(refuse)).toThrow(refusal)
  expect(causes).toEqual([])
  expect(() => faults.contain(fail)).toThrow(overloaded)
  faults.containSilently(fail)
  expect(causes).toEqual(['Error: broken', 'Error: broken'])
})

test('[A7] a faulty room refuses everybody', () => {
  const faults = new RoomFaults(() => {})
  faults.requireSound()
  faults.setFaulty()
  expect(faults.isFaulty).toBe(true)
  expect(() => faults.requireSound()).toThrow(overloaded)
})

test('[A7] what an edit makes Yjs throw is its sender’s fault', () => {
  expect(() => refuseOnError('bad-update', fail)).toThrow(
    expect.objectContaining({ reason: { code: 'bad-update', detail: 'Error: broken' } }),
  )
})
