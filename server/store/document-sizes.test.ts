/** [A6] The figures of stored bytes follow what is stored, on each store. */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ApiFixture, openApiFixture } from '../api/fixtures/api-fixture.ts'
import { DocumentsByApi } from '../api/fixtures/documents-by-api.ts'
import { purgeFromTrash } from '../api/trash.ts'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { readConfig } from '../config.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { removeDocument } from '../retention/remove-document.ts'
import { createRetention } from '../retention/retention.ts'
import { countSizes, readAllBytes, readBytesOf, renewAllSizes } from './document-sizes.ts'
import { impossibleEdit, numberedEdit, textEdit } from './fixtures/text-edits.ts'
import type { DocumentPart } from './store.ts'
import { PIECE_BYTES } from './write-snapshot.ts'

let fixture: ApiFixture
let documents: DocumentsByApi

beforeEach(async () => {
  fixture = await openApiFixture()
  documents = new DocumentsByApi(fixture)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const sizes = async () =>
  (
    await sql`select document, part, bytes from document_sizes where bytes > 0 order by document, part`.execute(
      fixture.db,
    )
  ).rows

async function expectExact() {
  const counted = await countSizes(fixture.db)
  expect(await sizes()).toEqual(counted)
  expect(await readAllBytes(fixture.db)).toBe(counted.reduce((sum, { bytes }) => sum + bytes, 0))
}

test('after any appends and compactions, by several calls at once', async () => {
  const { store } = fixture
  const { next: random } = createSeededRandom(28)
  const parts: DocumentPart[] = ['body', 'comments', 'desk']
  const heads = new Map<string, number>()
  for (let round = 0; round < 60; round++) {
    const calls = Array.from({ length: 1 + Math.floor(random() * 4) }, async () => {
      const [document, part] = [`d${Math.floor(random() * 4)}`, parts[Math.floor(random() * 3)]!]
      const edits = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, index) =>
        textEdit(document, 'x'.repeat(Math.floor(random() * 50)) + index, part),
      )
      heads.set(`${document}/${part}`, (await store.append(edits)).at(-1)!)
    })
    await Promise.all(calls)
    for (const [key, head] of heads) {
      if (random() > 0.1) continue
      const [document, part] = key.split('/') as [string, DocumentPart]
      const stateBytes = random() < 0.2 ? 2 * PIECE_BYTES + 1 : 20
      await store
        .compact(document, part, Buffer.alloc(stateBytes), head - (random() < 0.5 ? 0 : 1), Buffer.alloc(3))
        .catch(() => {})
    }
  }
  await expectExact()
})

test('what is not written does not count, also beside calls that are', async () => {
  const { store } = fixture
  const [written, refused] = await Promise.allSettled([
    store.append([numberedEdit('d', 1), numberedEdit('e', 2)]),
    store.append([numberedEdit('d', 3), impossibleEdit('d')]),
  ])
  expect([written.status, refused.status]).toEqual(['fulfilled', 'rejected'])
  await expect(store.compact('d', 'body', Buffer.alloc(9), 7)).rejects.toThrow(/does not fit/)
  await expectExact()
})

test('of versions that are made, named and deleted, of copies, and of what leaves the disk', async () => {
  const { cookie, principal } = await fixture.createPerson()
  const id = await documents.create(cookie, 'Plan')
  const path = `/api/documents/${id}`
  const version = async (name: string) =>
    (await fixture.call('POST', `${path}/versions`, { cookie, body: { name } })).json['id']! as string
  const first = await version('First')
  await fixture.call('PATCH', path, { cookie, body: { title: 'Another plan' } })
  await version('Second')
  await expectExact()
  const before = await readBytesOf(fixture.db, principal.id)
  expect((await fixture.call('DELETE', `${path}/versions/${first}`, { cookie })).status).toBe(204)
  expect(await readBytesOf(fixture.db, principal.id)).toBeLessThan(before)

  const copy = (await fixture.call('POST', `${path}/copies`, { cookie })).json['id']! as string
  await expectExact()
  await fixture.call('DELETE', path, { cookie })
  const withTrash = await readBytesOf(fixture.db, principal.id)
  await purgeFromTrash(fixture.db, principal, id)
  expect(await readBytesOf(fixture.db, principal.id)).toBeLessThan(withTrash)
  await removeDocument(fixture.db, id, async () => {})
  await removeDocument(fixture.db, copy, async () => {})
  await expectExact()
  expect(await readBytesOf(fixture.db, principal.id)).toBe(0)
})

test('of versions that the sweep removes', async () => {
  const { cookie } = await fixture.createPerson()
  const id = await documents.create(cookie, 'Plan')
  for (const title of ['a', 'b', 'c']) {
    await fixture.call('PATCH', `/api/documents/${id}`, { cookie, body: { title } })
    await fixture.call('POST', `/api/documents/${id}/versions`, { cookie, body: { name: null } })
  }
  await sql`update versions set created_at = created_at - ${10 * 24 * 3_600_000}`.execute(fixture.db)
  const config = readConfig({ VERSIONS_KEPT_DAYS: '1' })
  const retention = createRetention({
    db: fixture.db,
    log: silentLogger,
    config,
    onDocumentDeleted: () => {},
  })
  await retention.sweep()
  const [row] = (await sql<{ count: number }>`select count(*) as count from versions`.execute(fixture.db))
    .rows
  expect(row!.count).toBe(1)
  await expectExact()
  await retention.close()
})

test('a person’s desk counts as theirs, and no document of somebody else', async () => {
  const [ada, bob] = [await fixture.createPerson(), await fixture.createPerson()]
  const ofAda = [await documents.create(ada.cookie), await documents.create(ada.cookie)]
  const ofBob = await documents.create(bob.cookie)
  await fixture.store.append([
    textEdit(ada.principal.id, 'x'.repeat(100), 'desk'),
    textEdit(ofBob, 'y'.repeat(5_000)),
  ])
  const counted = await countSizes(fixture.db)
  const bytesOf = (ids: readonly string[]) =>
    counted.reduce((sum, { document, bytes }) => sum + (ids.includes(document) ? bytes : 0), 0)
  expect(await readBytesOf(fixture.db, ada.principal.id)).toBe(bytesOf(ofAda) + 100)
})

test('all are counted anew', async () => {
  await fixture.store.append([textEdit('d', 'one'), textEdit('e', 'two')])
  await sql`update document_sizes set bytes = bytes + 7`.execute(fixture.db)
  await renewAllSizes(fixture.db)
  await expectExact()
})
