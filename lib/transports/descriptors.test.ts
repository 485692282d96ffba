import { expect, test } from 'vitest'
import { networkTransports, ownPathsOf, transportDescriptors } from './descriptors.ts'
import { transports } from './registry.ts'

test('[S5] the order of preference is the order of the descriptors', () => {
  expect(networkTransports).toEqual(['websocket', 'sse', 'stream', 'long-poll', 'poll'])
})

test('each transport has a name and an explanation, and paths of its own', () => {
  const all = networkTransports.map((id) => transportDescriptors[id])
  expect(all.map(({ id }) => id)).toEqual(networkTransports)
  const ownPaths = networkTransports.flatMap(ownPathsOf)
  expect(new Set(ownPaths).size).toBe(ownPaths.length)
  for (const { id, label, explanation } of all) {
    expect(transports.get(id)).toBe(transportDescriptors[id])
    expect([label, explanation]).not.toContain('')
  }
})
