import { expect, test } from 'vitest'
import { LostMessageDetection } from './lost-message-detection.ts'

test('[S2] a message that stays unacknowledged after a pong is repeated, and checked again after that', () => {
  const detection = new LostMessageDetection()
  expect([detection.check(undefined), detection.check(5), detection.check(5)]).toEqual([
    'fine',
    'fine',
    'ask',
  ])
  detection.onPing(1)
  expect(detection.check(5)).toBe('fine')
  detection.onPong(1)
  expect([detection.check(5), detection.check(5)]).toEqual(['repeat', 'ask'])
})

test('[S2] a slow link is not doubted while its pong is on its way, or acknowledgements go on', () => {
  const detection = new LostMessageDetection()
  detection.check(5)
  detection.onPing(1)
  detection.onPong(2)
  expect([detection.check(5), detection.check(6), detection.check(7), detection.check(undefined)]).toEqual(
    Array(4).fill('fine'),
  )
})

test('[S2] a new link starts afresh', () => {
  const detection = new LostMessageDetection()
  detection.check(5)
  detection.onPing(1)
  detection.onPong(1)
  detection.reset()
  expect(detection.check(5)).toBe('fine')
})
