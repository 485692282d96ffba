import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHART_COUNT, figureWaitMs } from '../../lib/protocol/lab.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** The shortest wait, by this seed. */
const seed = 3
const chart = Array.from({ length: CHART_COUNT }, (_, index) => index).reduce((best, index) =>
  figureWaitMs({ chart: index, seed }) < figureWaitMs({ chart: best, seed }) ? index : best,
)

test('whoever has visited the server gets a figure', async () => {
  const { cookie } = await fixture.createPerson()
  const { status, json } = await fixture.call('GET', `/api/lab/figures/${chart}?seed=${seed}`, { cookie })
  expect(status).toBe(200)
  expect(json).toMatchObject({ chart, waitedMs: figureWaitMs({ chart, seed }), everyMs: 100 })
  expect((json['values'] as unknown as number[]).length).toBeGreaterThan(3)
})

test.each([
  [`/api/lab/figures/50?seed=1`, 400],
  [`/api/lab/figures/x?seed=1`, 400],
  [`/api/lab/figures/1?seed=-1`, 400],
  [`/api/lab/figures/1`, 400],
])('[A6] %s: %s', async (path, status) => {
  const { cookie } = await fixture.createPerson()
  expect((await fixture.call('GET', path, { cookie })).status).toBe(status)
})

test('[A1] a request without a cookie or a token is refused', async () => {
  expect((await fixture.call('GET', '/api/lab/figures/1?seed=1')).status).toBe(401)
})

test('LAB=off: there is no figure, and the answer says so', async () => {
  await using off = await openApiFixture({ lab: null })
  const { cookie } = await off.createPerson()
  const { status, json } = await off.call('GET', '/api/lab/figures/1?seed=1', { cookie })
  expect(status).toBe(404)
  expect(json).toMatchObject({ error: { code: 'not-found', message: expect.stringContaining('LAB=off') } })
})
