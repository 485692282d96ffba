import { expect, test } from 'vitest'
import { describeClose, fateOf } from '../../lib/protocol/close.ts'
import { PROTOCOL_VERSION, SCHEMA_VERSION } from '../../lib/protocol/limits.ts'
import { createAttachMessage, helloMessage, RawClient } from '../../server/fixtures/raw-client.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { everyRoute } from '../fixtures/transport-routes.ts'

const oldHellos = [
  { ...helloMessage, protocol: PROTOCOL_VERSION - 1 },
  { ...helloMessage, schema: SCHEMA_VERSION - 1 },
]

test.each(everyRoute)(
  'an old page on a new server, $transport over $scheme, is asked to reload before it opens any text',
  async ({ transport, scheme }) => {
    await using server = await RealServer.start()
    const { id, tokens } = await server.createDocument()
    const storedBefore = server.storedBytes(id)
    for (const oldHello of oldHellos) {
      using client = await RawClient.open(transport, server.origin(scheme), tokens.editor)
      client.send(oldHello, createAttachMessage(id))
      const reason = await client.closed
      expect(reason.code).toBe('version')
      expect(fateOf(reason)).toBe('stop')
      expect(describeClose(reason)).toContain('reload')
      expect(client.received.map(({ type }) => type)).not.toContain('attached')
    }
    expect(server.storedBytes(id)).toBe(storedBefore)
  },
)
