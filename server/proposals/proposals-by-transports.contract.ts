/** A proposal is written by each transport like each document, by programs with a link to its original, and accepted while they are there. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { RealServer, type TransportRoute } from '../fixtures/real-server.ts'

export function describeProposalsBy(routes: readonly TransportRoute[]): void {
  let server: RealServer
  beforeAll(async () => {
    server = await RealServer.start()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test.each(routes)('by $transport over $scheme', async (route) => {
    const shared = await server.createDocument()
    const origin = server.origin('http')
    const post = async (path: string): Promise<{ id: string; state: string }> => {
      const headers = { 'content-type': 'application/json', origin, cookie: shared.cookie }
      const url = `${origin}/api/documents/${shared.id}/proposals${path}`
      const response = await fetch(url, { method: 'POST', headers, body: '{}' })
      return (await response.json()) as { id: string; state: string }
    }
    const { id } = await post('')
    const [original, proposal] = [shared, { ...shared, id }].map((one) => server.openDocument(one, route))
    const viewer = server.openDocument({ ...shared, id }, route, 'viewer')
    try {
      proposal!.doc.getText('trace').insert(0, 'by both')
      await waitUntil(() => proposal!.status.get().unsaved === 0 && viewer.doc.getText('trace').length > 0)
      expect(original!.doc.getText('trace').toJSON()).toBe('')
      expect((await post(`/${id}/accept`)).state).toBe('accepted')
      await waitUntil(() => original!.doc.getText('trace').toJSON() === 'by both')
      await waitUntil(() => {
        const { document } = proposal!.status.get()
        return 'role' in document && document.role === 'viewer'
      })
    } finally {
      for (const one of [original!, proposal!, viewer]) await one.close()
    }
  })
}
