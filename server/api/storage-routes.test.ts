import { afterEach, beforeEach, expect, test } from 'vitest'
import { textEdit } from '../store/fixtures/text-edits.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'
import { DocumentsByApi } from './fixtures/documents-by-api.ts'

const MIB = 1024 * 1024

let fixture: ApiFixture
let documents: DocumentsByApi

beforeEach(async () => {
  fixture = await openApiFixture({ environment: { LIMIT_STORAGE_OF_PERSON: '1' } })
  documents = new DocumentsByApi(fixture)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const usageOf = async (cookie: string) => (await fixture.call('GET', '/api/storage', { cookie })).json
const fill = (document: string, bytes: number) =>
  fixture.store.append([textEdit(document, 'x'.repeat(bytes), 'comments')])

test('a person sees what their documents take, and what is granted', async () => {
  const { cookie } = await fixture.createPerson()
  expect(await usageOf(cookie)).toEqual({
    usedBytes: 0,
    limitBytes: MIB,
    serverHasRoom: true,
    isNearlyFull: false,
  })
  const document = await documents.create(cookie)
  const { usedBytes } = await usageOf(cookie)
  await fill(document, 1000)
  expect(await usageOf(cookie)).toMatchObject({ usedBytes: usedBytes! + 1000, isNearlyFull: false })
  await fill(document, 0.8 * MIB)
  expect(await usageOf(cookie)).toMatchObject({ isNearlyFull: true })
})

test('[A6] who has no space makes no document, copy or named version, reads all, and has space again after deleting', async () => {
  const { cookie } = await fixture.createPerson()
  const [document, large] = [await documents.create(cookie, 'Small'), await documents.create(cookie, 'Large')]
  await fill(large, MIB)
  const path = `/api/documents/${document}`
  for (const [url, body] of [
    ['/api/documents', {}],
    [`${path}/copies`, undefined],
    [`${path}/versions`, { name: 'Named' }],
  ] as const) {
    const { status, json } = await fixture.call('POST', url, { cookie, body })
    expect([status, json['error']], url).toEqual([
      507,
      { code: 'no-space', message: expect.stringMatching(/space/) },
    ])
  }
  expect((await fixture.call('GET', path, { cookie })).status).toBe(200)
  await fixture.call('DELETE', `/api/documents/${large}`, { cookie })
  expect((await fixture.call('POST', '/api/documents', { cookie, body: {} })).status).toBe(507)
  await fixture.call('DELETE', `/api/trash/${large}`, { cookie })
  for (const [url, body] of [
    ['/api/documents', {}],
    [`${path}/copies`, undefined],
    [`${path}/versions`, { name: 'Named' }],
  ] as const)
    expect((await fixture.call('POST', url, { cookie, body })).status, url).toBe(201)
})

test('a list of versions says when there is no space for automatic ones', async () => {
  const { cookie } = await fixture.createPerson()
  const document = await documents.create(cookie)
  const list = async () => (await fixture.call('GET', `/api/documents/${document}/versions`, { cookie })).json
  await fill(document, 2 * MIB)
  expect(await list()).toEqual({ versions: [], hasRoom: true }) // some is kept for them
  await fill(document, 48 * MIB)
  expect(await list()).toEqual({ versions: [], hasRoom: false })
})

test('[A6] a copy counts for whoever makes it, and a version for the owner', async () => {
  const { document, owner, editor } = await documents.createWithPeople()
  await fill(document, MIB)
  expect((await fixture.call('POST', `/api/documents/${document}/copies`, { cookie: editor })).status).toBe(
    201,
  )
  const version = (cookie: string) =>
    fixture.call('POST', `/api/documents/${document}/versions`, { cookie, body: { name: 'Full' } })
  for (const cookie of [owner, editor]) expect((await version(cookie)).status).toBe(507)
})
