import { expect, test } from 'vitest'
import { strings } from '../strings/transports.ts'
import { networkTransports, transportDescriptors } from './descriptors.ts'
import { transports } from './registry.ts'

test('[S5] the order of preference is the order of the descriptors', () => {
  expect(networkTransports).toEqual(['websocket', 'sse', 'stream', 'long-poll', 'poll'])
})

test('each descriptor has a client, a name and an explanation, and paths of its own', () => {
  expect([...transports.keys()]).toEqual(networkTransports)
  const ownPaths = networkTransports.flatMap((id) => [...transportDescriptors[id].ownPaths])
  expect(new Set(ownPaths).size).toBe(ownPaths.length)
  for (const id of networkTransports) {
    expect(transports.get(id)).toMatchObject({
      id,
      capabilities: { downFactor: expect.any(Number) as number },
    })
    expect(strings.names[id]).not.toBe('')
    expect(strings.explanations[id]).not.toBe('')
    expect(transportDescriptors[id].ownPaths).toContain(transportDescriptors[id].linkPath)
  }
})
