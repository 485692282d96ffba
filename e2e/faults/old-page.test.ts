import { expect, test } from 'vitest'
import { describeClose, fateOf } from '../../lib/protocol/close.ts'
import { PROTOCOL_VERSION, SCHEMA_VERSION } from '../../lib/protocol/limits.ts'
import { attach, hello, RawClient } from '../../server/fixtures/raw-client.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { everyWay } from '../chaos/ways.ts'

const old = [
  { ...hello, protocol: PROTOCOL_VERSION - 1 },
  { ...hello, schema: SCHEMA_VERSION - 1 },
]

test.each(everyWay)(
  'old page against a new server, $transport over $scheme: asked to reload before it opens any text',
  async ({ transport, scheme }) => {
    await using server = await RealServer.start()
    const { id, tokens } = await server.newDocument()
    const before = server.storedBytes(id)
    for (const greeting of old) {
      using client = await RawClient.open(transport, server.origin(scheme), tokens.editor)
      client.say(greeting, attach(id))
      const reason = await client.closed
      expect(reason.code).toBe('version')
      expect(fateOf(reason)).toBe('stop')
      expect(describeClose(reason)).toContain('reload')
      expect(client.heard.map(({ type }) => type)).not.toContain('attached')
    }
    expect(server.storedBytes(id)).toBe(before)
  },
)
