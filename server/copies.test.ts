import { expect, test } from 'vitest'
import { RealServer } from './fixtures/real-server.ts'
import { createSharedDocument } from './fixtures/shared-document.ts'

test('a whole server copies a document, to which nobody has a right before it is complete', async () => {
  await using server = await RealServer.start()
  const origin = server.origin('http')
  const { id, cookie } = await createSharedDocument(origin, { title: 'Budget' })
  const response = await fetch(`${origin}/api/documents/${id}/copies`, {
    method: 'POST',
    headers: { origin, cookie },
  })
  expect([response.status, await response.json()]).toMatchObject([
    201,
    { title: 'Copy of Budget', role: 'owner' },
  ])
})
