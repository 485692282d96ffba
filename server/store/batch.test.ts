import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packBatch, unpackBatch } from './batch.ts'
import type { DocumentEdit } from './store.ts'

const anyEdit = fc.record<DocumentEdit>({
  document: fc.string(),
  part: fc.constantFrom('body', 'comments', 'desk'),
  update: fc.uint8Array(),
  principal: fc.string(),
  session: fc.string(),
  number: fc.nat(),
  clients: fc.array(fc.nat(0xffffffff)),
  claims: fc.array(fc.record({ client: fc.maxSafeNat(), principal: fc.string() })),
})

test('unpacking a batch returns the packed calls', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyEdit)), (calls) => {
      const rows = unpackBatch(structuredClone(packBatch(calls)))
      expect(rows.map((call) => call.map((row) => ({ ...row, clients: JSON.parse(row.clients) })))).toEqual(
        calls,
      )
    }),
  )
})

test('a view of a large buffer is packed with its own bytes only', () => {
  const view = new Uint8Array(1_000_000).subarray(10, 35)
  const packed = packBatch([[{ ...sampleEdit, update: view }]])
  expect(packed.buffer.byteLength).toBeLessThan(200)
})

const sampleEdit: DocumentEdit = {
  document: 'd',
  part: 'body',
  update: new Uint8Array(),
  principal: '',
  session: '',
  number: 1,
  clients: [],
}
