/** A person's own order: folders, favourites, templates, what was opened; and that none of it shows anybody a document. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { folderPath, MAX_FOLDER_DEPTH, MAX_FOLDERS } from '../../lib/protocol/folder-tree.ts'
import { removeDocument } from '../retention/remove-document.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'
import { DocumentsByApi } from './fixtures/documents-by-api.ts'
import { MAX_RECENT, changePlacement } from './placements.ts'

let fixture: ApiFixture
let documents: DocumentsByApi

beforeAll(async () => {
  fixture = await openApiFixture({ environment: { LIMIT_WORK: 'off', LIMIT_GUESSES: 'off' } })
  documents = new DocumentsByApi(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())

interface FolderBody {
  readonly id: string
  readonly parent: string | null
  readonly name: string
}

/** What one person does by the API. */
function actAs(cookie: string) {
  const call = (method: string, path: string, body?: unknown) => fixture.call(method, path, { cookie, body })
  return {
    call,
    createFolder: async (name: string, parent: string | null = null): Promise<string> => {
      const { json, status } = await call('POST', '/api/folders', { name, parent })
      expect(status).toBe(201)
      return json['id']!
    },
    move: async (folder: string, parent: string | null) =>
      (await call('PATCH', `/api/folders/${folder}`, { parent })).status,
    place: async (document: string, change: object) =>
      (await call('PATCH', `/api/documents/${document}/placement`, change)).status,
    folders: async (): Promise<FolderBody[]> =>
      (await call('GET', '/api/folders')).json['folders'] as unknown as FolderBody[],
    list: async (query: string): Promise<string[]> =>
      ((await call('GET', `/api/documents?${query}`)).json['documents'] as unknown as { id: string }[]).map(
        ({ id }) => id,
      ),
  }
}

async function createPerson() {
  const { cookie, principal } = await fixture.createPerson()
  return { cookie, principal, ...actAs(cookie) }
}

describe('folders', () => {
  test('are made, renamed and moved, and seen by their owner alone', async () => {
    const [ada, eve] = await Promise.all([createPerson(), createPerson()])
    const work = await ada.createFolder('  Work\n things ')
    const plans = await ada.createFolder('Plans', work)
    expect(await ada.folders()).toEqual(
      expect.arrayContaining([
        { id: work, parent: null, name: 'Work things' },
        { id: plans, parent: work, name: 'Plans' },
      ]),
    )
    expect(await eve.folders()).toEqual([])
    for (const [method, path, body] of [
      ['PATCH', `/api/folders/${work}`, { name: 'Mine' }],
      ['DELETE', `/api/folders/${work}`, undefined],
      ['POST', `/api/folders/${work}/restore`, undefined],
      ['POST', '/api/folders', { name: 'Inside', parent: work }],
      ['PATCH', `/api/folders/${await eve.createFolder('Own')}`, { parent: work }],
    ] as const)
      expect([method, path, (await eve.call(method, path, body)).status]).toEqual([method, path, 404])
    expect((await ada.call('PATCH', `/api/folders/${plans}`, { name: 'Done', parent: null })).json).toEqual({
      id: plans,
      parent: null,
      name: 'Done',
    })
  })

  test.each([
    ['POST', '/api/folders', { name: ' \u0000\t ' }],
    ['POST', '/api/folders', { name: 'x'.repeat(101) }],
    ['POST', '/api/folders', { name: 'x', parent: 'x' }],
    ['POST', '/api/folders', { name: 'x', owner: 'user:eve' }],
    ['GET', '/api/documents?folder=x', undefined],
    ['GET', '/api/documents?filter=recent', undefined],
  ])('[A6] %s %s %j is refused', async (method, path, body) => {
    const ada = await createPerson()
    expect((await ada.call(method, path, body)).status).toBe(400)
  })

  test('a folder is never within itself, also when two windows move two into each other at once', async () => {
    const ada = await createPerson()
    for (let round = 0; round < 20; round++) {
      const [a, b] = [await ada.createFolder('A'), await ada.createFolder('B')]
      const answers = await Promise.all([ada.move(a, b), ada.move(b, a)])
      expect(answers.toSorted((a, b) => a - b)).toEqual([200, 409])
    }
    const outer = await ada.createFolder('Outer')
    const inner = await ada.createFolder('Inner', await ada.createFolder('Middle', outer))
    const refused = await ada.call('PATCH', `/api/folders/${outer}`, { parent: inner })
    expect([refused.status, refused.json['error']]).toEqual([
      409,
      { code: 'conflict', message: 'A folder cannot be moved into itself.' },
    ])
    expect(await ada.move(outer, outer)).toBe(409)
  })

  test(`[A6] they are ${MAX_FOLDER_DEPTH} levels deep at most, also by a move of several`, async () => {
    const ada = await createPerson()
    let last: string | null = null
    const path: string[] = []
    for (let depth = 1; depth <= MAX_FOLDER_DEPTH; depth++)
      path.push((last = await ada.createFolder(String(depth), last)))
    expect((await ada.call('POST', '/api/folders', { name: 'deeper', parent: last })).status).toBe(409)
    const pair = await ada.createFolder('Pair')
    await ada.createFolder('Child', pair)
    expect(await ada.move(pair, path.at(-2)!)).toBe(409)
    expect(await ada.move(pair, path.at(-3)!)).toBe(200)
  })

  test(`[A6] a person has ${MAX_FOLDERS} at most`, async () => {
    const ada = await createPerson()
    const rows = Array.from({ length: MAX_FOLDERS - 1 }, (_, at) => ({
      id: `${ada.principal.id}.${at}`,
      owner: ada.principal.id,
      parent: null,
      name: 'x',
    }))
    await fixture.db.insertInto('folders').values(rows).execute()
    await ada.createFolder('Last')
    const { status, json } = await ada.call('POST', '/api/folders', { name: 'more' })
    expect([status, json['error']]).toMatchObject([409, { message: 'You can have 1,000 folders at most.' }])
  })

  test('one that is deleted leaves what it had one level up, and is restored with what was not moved since', async () => {
    const ada = await createPerson()
    const outer = await ada.createFolder('Outer')
    const doomed = await ada.createFolder('Doomed', outer)
    const [child, moved] = [await ada.createFolder('Child', doomed), await ada.createFolder('Moved', doomed)]
    const [kept, taken] = [await documents.create(ada.cookie), await documents.create(ada.cookie)]
    for (const document of [kept, taken]) await ada.place(document, { folder: doomed })
    expect((await ada.call('DELETE', `/api/folders/${doomed}`)).status).toBe(204)
    expect((await ada.list(`folder=${outer}`)).toSorted()).toEqual([kept, taken].toSorted())
    expect(await ada.list(`folder=${doomed}`)).toEqual([])
    expect((await ada.folders()).filter(({ parent }) => parent === outer).map(({ id }) => id)).toEqual(
      expect.arrayContaining([child, moved]),
    )
    expect(await ada.place(taken, { folder: doomed })).toBe(404)
    await ada.place(taken, { folder: child })
    await ada.move(moved, null)
    expect((await ada.call('POST', `/api/folders/${doomed}/restore`)).json).toMatchObject({ parent: outer })
    expect(await ada.list(`folder=${doomed}`)).toEqual([kept])
    expect(await ada.list(`folder=${child}`)).toEqual([taken])
    const parents = Object.fromEntries((await ada.folders()).map(({ id, parent }) => [id, parent]))
    expect(parents).toEqual({ [outer]: null, [doomed]: outer, [child]: doomed, [moved]: null })
    expect((await ada.call('POST', `/api/folders/${doomed}/restore`)).status).toBe(404)
  })

  test('only the one that was deleted last is kept to be restored', async () => {
    const ada = await createPerson()
    const [first, second] = [await ada.createFolder('First'), await ada.createFolder('Second')]
    const document = await documents.create(ada.cookie)
    await ada.place(document, { folder: first })
    for (const folder of [first, second]) await ada.call('DELETE', `/api/folders/${folder}`)
    expect((await ada.call('POST', `/api/folders/${first}/restore`)).status).toBe(404)
    expect((await ada.call('POST', `/api/folders/${second}/restore`)).status).toBe(200)
    expect(await countRows(ada.principal.id)).toBe(0)
    expect(await ada.list('')).toContain(document)
  })

  test('no seeded changes of two windows make a circle, a tree too deep, or lose a folder', async ({
    annotate,
  }) => {
    const seed = Date.now() % 1_000_000
    await annotate(`seed ${seed}`)
    const random = createSeededRandom(seed)
    const ada = await createPerson()
    const ids = await Promise.all(Array.from({ length: 14 }, (_, at) => ada.createFolder(`F${at}`)))
    const any = () => ids[Math.floor(random.between(0, ids.length))]!
    for (let step = 0; step < 60; step++) {
      await Promise.all([
        ada.move(any(), any()),
        ada.move(any(), any()),
        step % 7 === 0 && ada.move(any(), null),
      ])
      const folders = new Map((await ada.folders()).map((folder) => [folder.id, folder]))
      expect([seed, folders.size]).toEqual([seed, ids.length])
      for (const id of ids) {
        const path = folderPath(folders, id)
        expect([seed, path[0]!.parent, path.length <= MAX_FOLDER_DEPTH]).toEqual([seed, null, true])
      }
    }
  })
})

const countRows = async (principal: string): Promise<number> =>
  (await fixture.db.selectFrom('placements').select('document').where('principal', '=', principal).execute())
    .length

describe('placements', () => {
  test('put a document into one folder, among favourites and templates, for its person alone', async () => {
    const { document, owner, viewer } = await documents.createWithPeople()
    const [ada, eve] = [actAs(viewer), actAs(owner)]
    const folder = await ada.createFolder('Reading')
    await ada.place(document, { folder, favourite: true, template: true })
    for (const query of [`folder=${folder}`, 'filter=favourites', 'filter=templates']) {
      expect(await ada.list(query)).toEqual([document])
      expect(await eve.list(query)).toEqual([])
    }
    expect((await ada.call('GET', `/api/documents/${document}`)).json).toMatchObject({
      folder,
      favourite: true,
      template: true,
    })
    expect((await eve.call('GET', `/api/documents/${document}`)).json).toMatchObject({
      folder: null,
      favourite: false,
      template: false,
    })
    expect(await eve.place(document, { folder })).toBe(404)
    await ada.place(document, { folder: null, favourite: false, template: false })
    expect(await ada.list('filter=favourites')).toEqual([])
    expect(await ada.list('')).toContain(document)
  })

  test('what is opened is listed by its time, and no more than the last ones are kept', async () => {
    const ada = await createPerson()
    const ids: string[] = []
    for (let at = 0; at < MAX_RECENT + 5; at++) {
      ids.push(await fixture.createDocument(ada.principal))
      await changePlacement(fixture.db, ada.principal, ids.at(-1)!, { opened: true }, 1_000_000 * (at + 1))
    }
    const favourite = ids[0]!
    await ada.place(favourite, { favourite: true })
    expect(await ada.list('sort=opened&limit=200')).toEqual(ids.slice(5).toReversed())
    expect(await countRows(ada.principal.id)).toBe(MAX_RECENT + 1)
    const first = await ada.call('GET', '/api/documents?sort=opened&limit=60')
    expect(first.json['documents']).toHaveLength(60)
    expect(await ada.list(`sort=opened&limit=60&cursor=${first.json['next']}`)).toHaveLength(40)
    await ada.place(favourite, { favourite: false })
    expect(await countRows(ada.principal.id)).toBe(MAX_RECENT)
  })

  test('one that is opened again soon writes nothing', async () => {
    const ada = await createPerson()
    const document = await documents.create(ada.cookie)
    const revision = async () =>
      (
        await fixture.db
          .selectFrom('folder_trees')
          .selectAll()
          .where('owner', '=', ada.principal.id)
          .execute()
      )[0]?.revision
    for (let opened = 0; opened < 3; opened++) await ada.place(document, { opened: true })
    expect(await revision()).toBe(1)
  })

  test('[A4] no placement shows a document that its person may not read (any more), whatever the list', async ({
    annotate,
  }) => {
    const seed = Date.now() % 1_000_000
    await annotate(`seed ${seed}`)
    const random = createSeededRandom(seed)
    const people = await Promise.all([1, 2, 3, 4].map(createPerson))
    const folders = await Promise.all(people.map((person) => person.createFolder('All')))
    const all: string[] = []
    for (const owner of people)
      for (let at = 0; at < 4; at++) {
        const id = await fixture.createDocument(owner.principal)
        all.push(id)
        for (const other of people) {
          if (other === owner || random.between(0, 2) < 1) continue
          const role = random.between(0, 2) < 1 ? 'viewer' : 'editor'
          const { id: link, token } = await fixture.access.createShareLink(id, role, owner.principal)
          await documents.redeem(other.cookie, id, token)
          await place(other, id)
          const fate = random.between(0, 4)
          if (fate < 1) await fixture.access.revokeShareLink(id, link, owner.principal)
          else if (fate < 2) await fixture.access.removePerson(id, other.principal.id, owner.principal)
        }
        await place(owner, id)
        if (random.between(0, 4) < 1) await owner.call('DELETE', `/api/documents/${id}`)
      }
    // Also what nobody let them place.
    for (const [at, person] of people.entries())
      for (const document of all) {
        const status = await person.place(document, { folder: folders[at], favourite: true, opened: true })
        const role = await fixture.access.roleOf(person.principal, document)
        expect([seed, status]).toEqual([seed, role === null ? 404 : 200])
      }
    for (const [at, person] of people.entries()) {
      const readable: string[] = []
      for (const document of all)
        if (await fixture.access.roleOf(person.principal, document)) readable.push(document)
      for (const query of [`folder=${folders[at]}`, 'filter=favourites', 'sort=opened', '', 'query='])
        expect([
          seed,
          query,
          (await person.list(`limit=200&${query}`)).filter((id) => all.includes(id)).toSorted(),
        ]).toEqual([seed, query, readable.toSorted()])
      for (const other of folders.filter((folder) => folder !== folders[at]))
        expect(await person.list(`folder=${other}`)).toEqual([])
    }
    async function place(person: (typeof people)[number], document: string) {
      const folder = folders[people.indexOf(person)]
      expect(await person.place(document, { folder, favourite: true, opened: true })).toBe(200)
    }
  })

  test('a link’s token has no order of its own', async () => {
    const { document, owner } = await documents.createWithPeople()
    const { token } = await documents.createShareLink(owner, document, 'editor')
    for (const [method, path, body] of [
      ['GET', '/api/folders', undefined],
      ['POST', '/api/folders', { name: 'x' }],
      ['PATCH', `/api/documents/${document}/placement`, { favourite: true }],
    ] as const)
      expect((await fixture.call(method, path, { token, body, origin: null })).status).toBe(403)
  })

  test('a document in the trash keeps its place, and one that is deleted for good leaves no row', async () => {
    const ada = await createPerson()
    const document = await documents.create(ada.cookie)
    await ada.place(document, { favourite: true })
    await ada.call('DELETE', `/api/documents/${document}`)
    expect(await ada.list('filter=favourites')).toEqual([])
    await ada.call('POST', `/api/trash/${document}/restore`)
    expect(await ada.list('filter=favourites')).toEqual([document])
    await removeDocument(fixture.db, document, () => Promise.resolve())
    expect(await countRows(ada.principal.id)).toBe(0)
  })
})
