import { describe, expect, test } from 'vitest'
import { type Envelope, EnvelopeCodec, envelopeBytes } from './envelope.ts'
import { nodesSecret } from './fixtures/nodes-secret.ts'

const message: Envelope = { node: 'nada', kind: 'message', payload: Buffer.from([1, 2, 3]) }
const gap: Envelope = { node: 'nada', kind: 'gap', payload: Buffer.alloc(0) }

describe.each([
  ['between servers', nodesSecret],
  ['within one process', undefined],
])('the envelope of a message %s', (_title, secret) => {
  const envelopes = new EnvelopeCodec(secret)

  test.each([message, gap])('comes back as it was written: a $kind', (envelope) => {
    const bytes = envelopes.write('room/d', envelope)
    expect(envelopes.read('room/d', bytes)).toEqual(envelope)
    expect(bytes.length).toBe(envelopeBytes(envelope.node, envelope.payload))
  })

  test('bytes that are too short, or of a kind that nobody knows, are no message', () => {
    const bytes = envelopes.write('t', gap)
    for (let length = 0; length < bytes.length; length++)
      expect(envelopes.read('t', bytes.subarray(0, length))).toBe(null)
    expect(envelopes.read('t', Buffer.alloc(64, 255))).toBe(null)
  })
})

test('bytes with another topic, a changed byte or the proof of another secret are no message', () => {
  const envelopes = new EnvelopeCodec(nodesSecret)
  const bytes = envelopes.write('room/d', message)
  expect(envelopes.read('room/e', bytes)).toBe(null)
  for (const [index, byte] of bytes.entries()) {
    const changed = Buffer.from(bytes)
    changed[index] = byte ^ 1
    expect(envelopes.read('room/d', changed)).toBe(null)
  }
  for (const secret of [Buffer.alloc(32, 8), undefined])
    expect(envelopes.read('room/d', new EnvelopeCodec(secret).write('room/d', message))).toBe(null)
})
