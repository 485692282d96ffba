/** A proposal that is accepted at two nodes at once, over PostgreSQL, with messages by Redis. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { describeRedis } from '../../server/fanout/fixtures/describe-redis.ts'
import { type RedisServer, startRedisServer } from '../../server/fanout/fixtures/redis-server.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { RealNodes } from '../fixtures/real-nodes.ts'

const ROUNDS = 8

describeRedis('with Redis', () => {
  describePostgres('two nodes', () => {
    let redis: RedisServer
    let service: RealNodes
    beforeAll(async () => {
      redis = await startRedisServer()
      service = await RealNodes.start({ REDIS_URL: redis.url })
    })
    afterAll(async () => {
      await service[Symbol.asyncDispose]()
      await redis[Symbol.asyncDispose]()
    })

    test('accept a proposal at once: one does, the other says so, and nothing comes twice', async () => {
      const shared = await service.createDocument()
      const call = async (node: number, method: string, path: string, body?: object) => {
        const origin = service.nodes[node]!.origin('http')
        const headers = { 'content-type': 'application/json', origin, cookie: shared.cookie }
        const url = `${origin}/api/documents/${shared.id}${path}`
        const response = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null })
        return { status: response.status, json: (await response.json()) as Record<string, never> }
      }
      const countVersions = async () =>
        ((await call(0, 'GET', '/versions')).json['versions'] as unknown as unknown[]).length
      const route = { transport: 'websocket', scheme: 'http' } as const
      const original = service.openDocument(shared, route)
      const read = () => original.doc.getText('trace').toJSON()
      for (let round = 0; round < ROUNDS; round += 1) {
        const { json } = await call(round % 2, 'POST', '/proposals', {})
        const id: string = json['id']!
        const proposal = service.openDocument({ ...shared, id }, route)
        await waitUntil(() => proposal.status.get().document.state === 'synced')
        proposal.doc.getText('trace').insert(0, `${round} `)
        await proposal.whenSaved()
        const [text, versions] = [proposal.doc.getText('trace').toJSON(), await countVersions()]
        const answers = await Promise.all(
          [0, 1].map((node) => call(node, 'POST', `/proposals/${id}/accept`, {})),
        )
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
        const refused = answers.find(({ status }) => status === 409)!
        expect(refused.json['error']).toMatchObject({
          message: expect.stringMatching(/is being accepted|is accepted already|has just decided/),
        })
        await waitUntil(() => read() === text)
        expect((await service.readStoredDocument(shared.id)).getText('trace').toJSON()).toBe(text)
        expect(await countVersions()).toBe(versions + 1)
        await proposal.close()
      }
      await original.close()
    })
  })
})
