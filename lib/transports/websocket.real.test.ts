import { expect, test } from 'vitest'
import { createNet } from './net/node.ts'
import { RecordingSink } from './fixtures/recording-sink.ts'
import { websocket } from './websocket.ts'

const open = (net: ReturnType<typeof createNet>, origin = 'http://127.0.0.1:1') =>
  websocket.open({ origin, net }, new RecordingSink(), new AbortController().signal)

test('[T1] an address without a server refuses, with the platform’s detail', async () => {
  await expect(open(createNet())).rejects.toMatchObject({
    name: 'TransportError',
    reason: { code: 'refused', detail: expect.stringContaining('ECONNREFUSED') as string },
  })
})

test('[T1] a platform that throws at once refuses', async () => {
  const forbiddenNet = {
    ...createNet(),
    webSocket: () => {
      throw new DOMException('Refused by the page’s policy.', 'SecurityError')
    },
  }
  await expect(open(forbiddenNet)).rejects.toMatchObject({
    name: 'TransportError',
    reason: { code: 'refused' },
  })
})
