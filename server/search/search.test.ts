/** The search over a real store: SQLite, and PostgreSQL in its project. */
import { randomInt } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import * as Y from 'yjs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { readSearchQuery } from '../../lib/search/search-query.ts'
import { appendBlocks, paragraph } from '../../lib/text/fixtures/text-sketches.ts'
import type { Principal } from '../access/principal.ts'
import { type ApiFixture, openApiFixture } from '../api/fixtures/api-fixture.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { removeDocument } from '../retention/remove-document.ts'
import { isTestedOnPostgres } from '../store/fixtures/test-store.ts'
import { Search, TooManySearches, withChangesNoted } from './search.ts'
import { MAX_PASSAGES_VERIFIED, type SearchIndex } from './search-index.ts'
import { SearchIndexer } from './search-indexer.ts'

let fixture: ApiFixture
let search: Search
let ada: { principal: Principal; cookie: string }

async function openFixture(): Promise<void> {
  fixture = await openApiFixture()
  search = await fixture.search()
}
const closeFixture = () => fixture[Symbol.asyncDispose]()

/** One store for several tests: each has a person of its own, who finds nothing of the others. */
function shareFixture(): void {
  beforeAll(openFixture)
  afterAll(closeFixture)
  beforeEach(async () => void (ada = await fixture.createPerson()))
}

function openFixtureForEach(): void {
  beforeEach(async () => {
    await openFixture()
    ada = await fixture.createPerson()
  })
  afterEach(closeFixture)
}

const call: ApiFixture['call'] = (...callArguments) => fixture.call(...callArguments)

async function writeText(document: string, title: string, ...lines: readonly string[]): Promise<void> {
  await fixture.rooms.edit(document, 'body', ada.principal, (doc) => {
    if (title) doc.getText('title').insert(0, title)
    appendBlocks(
      doc.getXmlFragment('default'),
      lines.map((line) => paragraph(line)),
    )
  })
}

async function linkTo(document: string, target: string): Promise<void> {
  await fixture.rooms.edit(document, 'body', ada.principal, (doc) =>
    appendBlocks(doc.getXmlFragment('default'), [
      paragraph({ text: 'see there', marks: { link: { href: `https://notes.example/d/${target}` } } }),
    ]),
  )
}

async function createText(title: string, ...lines: readonly string[]): Promise<string> {
  const document = await fixture.createDocument(ada.principal)
  await writeText(document, title, ...lines)
  return document
}

/** Until nothing that is stored is newer than the index. */
async function catchUp(): Promise<void> {
  await using index = await openIndex()
  do {
    await search.indexer.sweep()
    await search.indexer.whenIdle()
  } while ((await index.findStale('')).documents.length > 0)
}

async function countPassages(): Promise<number> {
  const count = 'select count(*) as count from search_passages'
  if (isTestedOnPostgres) return (await sql.raw<{ count: number }>(count).execute(fixture.db)).rows[0]!.count
  using file = new DatabaseSync(`${fixture.database}-search`)
  return file.prepare(count).get()!['count'] as number
}

async function openIndex(): Promise<SearchIndex & AsyncDisposable> {
  const index = await fixture.openSearchIndex()
  return Object.assign(index, { [Symbol.asyncDispose]: () => index.close() })
}

const everything = { filter: 'all', sort: 'best', offset: 0, limit: 100 } as const

const idsFor = async (query: string, principal = ada.principal): Promise<string[]> =>
  (await search.find(principal, readSearchQuery(query), everything)).map(({ document }) => document)

/** Without row ids, which say only in which order rows were written. */
async function readIndex(): Promise<unknown[]> {
  const ids = ['zebra', 'alpha', '北京', 'ไทย', 'كتاب', 'grosse', 'editing', 'w1', 'w17']
  const found: unknown[] = []
  for (const word of ids) found.push([word, (await idsFor(word)).toSorted()])
  return found
}

describe('a search finds', () => {
  shareFixture()

  test.each([
    ['two Chinese characters', '我们在北京大学学习', '北京'],
    ['one Chinese character at the end of a run', '大学', '学'],
    ['three Chinese characters', '我们在北京大学学习', '京大学'],
    ['Japanese', '東京でラーメンを食べた', 'ラーメン 東京'],
    ['Thai', 'ภาษาไทยง่ายมาก', 'ไทย'],
    ['Lao', 'ພາສາລາວ', 'ລາວ'],
    ['Arabic with marks by a word without', 'قرأ الكِتَابَ كله', 'الكتاب'],
    ['Hebrew with points', 'שָׁלוֹם עולם', 'שלום'],
    ['German with umlauts', 'Die Größe der Übung', 'größe ÜBUNG'],
    ['German by plain letters', 'Die Größe der Übung', 'grosse ubung'],
    ['Devanagari', 'हिन्दी भाषा', 'हिन्दी'],
    ['the beginning of the last word', 'collaborative editing', 'collaborative edi'],
    ['a phrase', 'a big red dog', '"big red"'],
    ['a word that databases know', 'AND OR NOT NEAR the', 'not near and or the'],
    ['what looks like syntax', 'rock & roll | (c) a:b x*', 'a:b x* & | (c)'],
    ['a surrogate pair', '𠮷野家 𝒜', '𠮷野'],
  ])('%s', async (_what, text, query) => {
    const document = await createText('Title', 'before', text)
    await createText('Title', 'another text')
    await catchUp()
    expect(await idsFor(query)).toEqual([document])
  })

  test('words of title and text together, in passages far apart, and no phrase over two lines', async () => {
    const filler = Array.from({ length: 300 }, (_, at) => `w${at} ${'filler '.repeat(20)}`)
    const document = await createText('Budget plan', 'alpha', ...filler, 'omega end', 'of text')
    await catchUp()
    expect(await idsFor('budget alpha omega')).toEqual([document])
    expect(await idsFor('"omega end"')).toEqual([document])
    expect(await idsFor('"end of"')).toEqual([])
    expect(await idsFor('"plan alpha"')).toEqual([])
    const [found] = await search.find(ada.principal, readSearchQuery('omega'), everything)
    expect(found!.passage).toContain('omega end')
  })

  test.runIf(isTestedOnPostgres)(
    'a phrase in what a bounded number of passages holds, the best first',
    async () => {
      const document = await createText('Title', 'a big red dog')
      const better = await createText('Big red', 'red, big')
      await catchUp()
      expect(await idsFor('"big red"')).toEqual([better, document])
      await sql`
      insert into search_passages (text_id, passage, text, tokens)
      select id, generate_series(1000, ${MAX_PASSAGES_VERIFIED - 1}), '', '' from search_texts where document = ${better}
    `.execute(fixture.db)
      expect(await idsFor('"big red"')).toEqual([better])
      expect(await idsFor('big red')).toEqual([better, document])
    },
  )

  test('those with the words in their titles before others', async () => {
    const inText = await createText('Other', 'zebra and more words')
    const inTitle = await createText('The zebra', 'more words of another kind')
    await catchUp()
    expect(await idsFor('zebra')).toEqual([inTitle, inText])
  })
})

describe('GET /api/search', () => {
  shareFixture()

  const find = async (query: string, options: object = { cookie: ada.cookie }) =>
    call('GET', `/api/search?${query}`, options)

  test('has titles, marked snippets, owner and time, page by page', async () => {
    const ids: string[] = []
    for (let at = 0; at < 5; at++)
      ids.push(await createText(`Plan ${at}`, 'some words', 'the <b>Zebra</b> crossing'))
    await catchUp()
    const first = await find('q=zebra&limit=3')
    expect(first.status).toBe(200)
    const [result] = first.json['results'] as unknown as Record<string, never>[]
    expect(result).toEqual({
      document: expect.any(String),
      title: expect.stringMatching(/^Plan \d$/),
      titleMarks: [],
      snippet: { text: 'the <b>Zebra</b> crossing', marks: [{ from: 7, to: 12 }] },
      owner: { id: ada.principal.id, name: expect.any(String) },
      updatedAt: expect.stringMatching(/Z$/),
    })
    const next = await find(`q=zebra&limit=3&cursor=${String(first.json['next'])}`)
    const all = [first, next].flatMap(({ json }) => json['results'] as unknown as { document: string }[])
    expect(all.map(({ document }) => document).toSorted()).toEqual(ids.toSorted())
    expect(next.json['next']).toBeNull()
  })

  test('can be narrowed to whose they are, a folder, favourites and a time', async () => {
    const ben = await fixture.createPerson()
    const shared = await fixture.createDocument(ben.principal)
    await writeText(shared, '', 'zebra')
    const { token } = await fixture.access.createShareLink(shared, 'viewer', ben.principal)
    await fixture.access.redeemShareLink(ada.principal, shared, token)
    const [old, inner] = [await createText('Old', 'zebra'), await createText('Inner', 'zebra')]
    const hidden = await fixture.createDocument(ben.principal)
    await writeText(hidden, '', 'zebra')
    await catchUp()
    const { cookie } = ada
    const makeFolder = async (name: string, parent: string | null = null, owner = cookie) =>
      (await call('POST', '/api/folders', { cookie: owner, body: { name, parent } })).json[
        'id'
      ] as unknown as string
    const place = (document: string, body: object, owner = cookie) =>
      call('PATCH', `/api/documents/${document}/placement`, { cookie: owner, body })
    const outer = await makeFolder('Outer')
    await place(shared, { folder: outer })
    await place(inner, { folder: await makeFolder('Within', outer), favourite: true })
    const bens = await makeFolder('Of Ben', null, ben.cookie)
    await place(hidden, { folder: bens, favourite: true }, ben.cookie)
    await fixture.db.updateTable('documents').set({ updated_at: 1_000 }).where('id', '=', old).execute()
    const ids = async (query: string) => {
      const { status, json } = await find(`q=zebra&${query}`)
      expect([query, status]).toEqual([query, 200])
      return (json['results'] as unknown as { document: string }[]).map(({ document }) => document).toSorted()
    }
    expect(await ids('filter=shared')).toEqual([shared])
    expect(await ids('filter=favourites')).toEqual([inner])
    expect(await ids(`folder=${outer}`)).toEqual([shared, inner].toSorted())
    expect(await ids(`folder=${outer}&filter=owned`)).toEqual([inner])
    expect(await ids(`folder=${bens}`)).toEqual([])
    const recent = await ids('editedSince=2020-01-01T00:00:00Z')
    expect([recent.includes(old), recent.includes(inner)]).toEqual([false, true])
    expect(await ids('')).toContain(old)
    for (const bad of ['filter=all%20', 'folder=x', 'editedSince=yesterday', 'sort=owner'])
      expect([bad, (await find(`q=zebra&${bad}`)).status]).toEqual([bad, 400])
  })

  test.each([
    ['nothing', 'q=', 'Type a word to search for.'],
    ['operators alone', 'q=%22%22%20*%20(%20)%20%5E%20-%20%3A', 'Type a word to search for.'],
    ['10,000 wildcards', `q=${'*'.repeat(10_000)}`, 'Search for at most 200 characters.'],
    ['a megabyte', `q=${'a'.repeat(1_000_000)}`, 'Search for at most 200 characters.'],
    ['too many words', `q=${'a+'.repeat(99)}`, 'Search for at most 32 words.'],
  ])('answers %s by a sentence', async (_what, query, sentence) => {
    const { status, json } = await find(query)
    expect([status, json['error']]).toEqual([400, { code: 'bad-request', message: sentence }])
  })

  test('a link’s token finds its document alone', async () => {
    const document = await createText('Shared', 'zebra')
    await createText('Private', 'zebra')
    const { token } = await fixture.access.createShareLink(document, 'viewer', ada.principal)
    await catchUp()
    const { json } = await find('q=zebra', { origin: null, token })
    expect(json['results']).toMatchObject([{ document }])
    expect((await find('q=zebra', {})).status).toBe(401)
  })
})

describe('[A4] nobody finds what they may not read', () => {
  openFixtureForEach()

  test('rights of any kind, taken and given, against the role of each document', async () => {
    const people = [ada, ...(await Promise.all(Array.from({ length: 3 }, () => fixture.createPerson())))]
    const seed = randomInt(2 ** 31)
    const random = createSeededRandom(seed, 'rights')
    const target = await fixture.createDocument(people[1]!.principal)
    const documents: string[] = []
    const tokens: { token: string; document: string; link: string }[] = []
    for (let at = 0; at < 12; at++) {
      const owner = random.pick(people).principal
      const document = await fixture.createDocument(owner)
      await writeText(document, '', `needle ${at}`)
      await linkTo(document, target)
      documents.push(document)
      for (let links = 0; links < 2; links++) {
        const { id, token } = await fixture.access.createShareLink(
          document,
          random.pick(['viewer', 'editor'] as const),
          owner,
        )
        tokens.push({ token, document, link: id })
        for (const { principal } of people)
          if (random.next() < 0.4) await fixture.access.redeemShareLink(principal, document, token)
        const { access } = fixture
        if (random.next() < 0.3) await access.revokeShareLink(document, id, owner)
        if (random.next() < 0.3) await access.setShareLinkOpen(document, id, false, owner)
        if (random.next() < 0.3) await access.removePerson(document, random.pick(people).principal.id, owner)
      }
      if (random.next() < 0.2)
        await fixture.db.updateTable('documents').set({ deleted_at: 5 }).where('id', '=', document).execute()
    }
    await catchUp()
    const callers: Principal[] = people.map(({ principal }) => principal)
    for (const { token } of tokens) {
      const caller = await fixture.admitLinkToken(token).catch(() => null)
      if (caller) callers.push(caller)
    }
    for (const caller of callers) {
      const readable: string[] = []
      for (const document of documents)
        if (await fixture.access.roleOf(caller, document)) readable.push(document)
      expect([seed, (await idsFor('needle', caller)).toSorted()]).toEqual([seed, readable.toSorted()])
      const linking = await search.findLinking(caller, target, { offset: 0, limit: 200 })
      expect([seed, linking.map(({ document }) => document).toSorted()]).toEqual([seed, readable.toSorted()])
    }
  })

  test('a limit is of what may be read: others’ better matches take no place', async () => {
    const eve = await fixture.createPerson()
    for (let at = 0; at < 5; at++) await createText('zebra zebra', 'zebra zebra zebra')
    const own = await fixture.createDocument(eve.principal)
    await writeText(own, '', 'among many other words of a long line there is one zebra')
    await catchUp()
    const rows = await search.find(eve.principal, readSearchQuery('zebra'), { ...everything, limit: 1 })
    expect(rows.map(({ document }) => document)).toEqual([own])
  })

  test('the order of one’s own documents does not tell which words others’ documents hold', async () => {
    const eve = await fixture.createPerson()
    const own: string[] = []
    for (const text of ['aleph aleph beth gimel gimel daleth', 'aleph beth beth gimel daleth daleth']) {
      own.push(await fixture.createDocument(eve.principal))
      await writeText(own.at(-1)!, '', text)
    }
    // The words with more of them would count less, were all documents counted.
    for (let at = 0; at < 8; at++) await createText('Other', at < 3 ? 'aleph daleth' : 'another')
    await catchUp()
    const found = await Promise.all(
      ['aleph beth', 'gimel daleth'].map((query) => idsFor(`${query} `, eve.principal)),
    )
    expect(found[0]!.toSorted()).toEqual(own.toSorted())
    expect(found[1]).toEqual(found[0])
  })

  test('a document in the trash is not found, is found when it is restored, and leaves no word when it is purged', async () => {
    const document = await createText('zebra', 'stripes of a zebra')
    await catchUp()
    const setDeleted = (deleted_at: number | null) =>
      fixture.db.updateTable('documents').set({ deleted_at }).where('id', '=', document).execute()
    await setDeleted(5)
    expect(await idsFor('zebra')).toEqual([])
    await setDeleted(null)
    expect(await idsFor('zebra')).toEqual([document])
    await setDeleted(0)
    await search.remove(document)
    await removeDocument(fixture.db, document, () => Promise.resolve())
    expect(await idsFor('zebra')).toEqual([])
    await catchUp()
    expect(await countPassages()).toBe(0)
  })
})

describe('backlinks', () => {
  shareFixture()

  const backlinks = async (document: string, query = '', cookie = ada.cookie) => {
    const { status, json } = await call('GET', `/api/documents/${document}/backlinks?${query}`, { cookie })
    return { status, documents: json['documents'] as unknown as { id: string }[], next: json['next'] }
  }

  test('name who links here, with a preview, and follow the text', async () => {
    const target = await createText('Target')
    const source = await createText('Source', 'About this:')
    await linkTo(source, target)
    await linkTo(target, target)
    await catchUp()
    const found = await backlinks(target)
    expect(found).toMatchObject({
      status: 200,
      documents: [{ id: source, title: 'Source', preview: 'About this: see there' }],
      next: null,
    })
    await fixture.rooms.edit(source, 'body', ada.principal, (doc) => {
      const body = doc.getXmlFragment('default')
      body.delete(0, body.length)
    })
    await catchUp()
    expect((await backlinks(target)).documents).toEqual([])
  })

  test('come in pages, and are as a missing document for whoever may not read the target', async () => {
    const target = await createText('Target')
    const sources = new Set<string>()
    for (let at = 0; at < 5; at++) {
      const source = await createText(`Source ${at}`)
      sources.add(source)
      await linkTo(source, target)
    }
    await catchUp()
    const first = await backlinks(target, 'limit=3')
    const second = await backlinks(target, `limit=3&cursor=${first.next}`)
    expect([first.documents.length, second.next]).toEqual([3, null])
    expect(new Set([...first.documents, ...second.documents].map(({ id }) => id))).toEqual(sources)
    const eve = await fixture.createPerson()
    // Her own text may name it: that tells her nothing.
    await linkTo(await fixture.createDocument(eve.principal), target)
    await catchUp()
    expect((await backlinks(target, '', eve.cookie)).status).toBe(404)
    expect((await backlinks(target, 'cursor=501')).status).toBe(400)
  })

  test('a list shows the beginnings of texts, of what it lists alone', async () => {
    await createText('One', 'first line', 'second line')
    await catchUp()
    const list = async (cookie: string) =>
      (
        (await call('GET', '/api/documents?sort=title', { cookie })).json['documents'] as unknown as {
          preview: string
        }[]
      ).map(({ preview }) => preview)
    expect(await list(ada.cookie)).toContain('first line second line')
    expect((await list((await fixture.createPerson()).cookie)).join()).not.toContain('first line')
  })
})

describe('the index', () => {
  openFixtureForEach()

  test('follows edits, in the order of their sequences, whichever writer comes last', async () => {
    const document = await createText('One', 'zebra')
    await catchUp()
    await writeText(document, '', 'alpha')
    await catchUp()
    expect([await idsFor('zebra'), await idsFor('alpha')]).toEqual([[document], [document]])
    await using index = await openIndex()
    const older = {
      document,
      title: 'Old',
      passages: [],
      preview: '',
      links: [],
      bodySequence: 1,
      commentsSequence: 0,
    }
    expect(await index.write(older)).toBe(true)
    expect(await index.write({ ...older, commentsSequence: 1 })).toBe(false)
    expect(await idsFor('alpha')).toEqual([document])
    expect(await index.write({ ...older, document: 'AAAAAAAAAAAAAAAAAAAAAA' })).toBe(true)
    expect(await idsFor('old')).toEqual([])
  })

  test('is noted by commits, and equals a rebuilt one', async () => {
    const changed: string[] = []
    const noted = withChangesNoted(fixture.store, (document) => changed.push(document))
    const first = await createText('One', 'zebra 北京 w1')
    const edit = {
      part: 'body',
      update: Y.encodeStateAsUpdate(new Y.Doc()),
      principal: 'user:x',
      session: '',
      clients: [],
    } as const
    await noted.append([1, 2].map((number) => ({ ...edit, document: first, number })))
    await noted.append([{ ...edit, document: 'user:x', part: 'desk', number: 3 }])
    expect(changed).toEqual([first])
    await createText('Two', 'alpha ไทย كتاب', 'Größe editing w17')
    await catchUp()
    const before = await readIndex()
    const index = await fixture.openSearchIndex()
    const another = new Search({ index, store: fixture.store, log: silentLogger })
    await another.rebuild()
    await another.close()
    expect(await readIndex()).toEqual(before)
  })

  test('a text that no thread can read is skipped until it changes, and one that cannot be loaded is tried again', async () => {
    const document = await createText('One', 'zebra')
    await using index = await openIndex()
    const waits: (() => void)[] = []
    let [loads, reads] = [0, 0]
    const indexer = new SearchIndexer({
      index,
      log: silentLogger,
      clock: { after: (ms, run) => (ms < 20 ? setImmediate(run) : waits.push(run), () => {}) },
      store: {
        async load(...part) {
          loads += 1
          if (loads === 1) throw new Error('the disk hangs')
          return fixture.store.load(...part)
        },
      },
      readText() {
        reads += 1
        return Promise.reject(new Error('too long'))
      },
    })
    await indexer.sweep()
    await indexer.whenIdle()
    expect([loads, reads, waits.length]).toEqual([1, 0, 1])
    waits.pop()!()
    await indexer.whenIdle()
    expect([loads, reads]).toEqual([3, 1])
    await indexer.sweep()
    expect([loads, reads]).toEqual([3, 1])
    await writeText(document, '', 'more')
    waits.pop()!()
    await indexer.sweep()
    await indexer.whenIdle()
    expect(reads).toBe(2)
    await indexer.close()
  })

  test('a document that is edited all the time is read once a rest, however many edits there are', async () => {
    const document = await createText('One', 'zebra')
    await using index = await openIndex()
    const rests: { ms: number; run: () => void }[] = []
    let reads = 0
    const indexer = new SearchIndexer({
      index,
      log: silentLogger,
      clock: { after: (ms, run) => (ms < 20 ? setImmediate(run) : rests.push({ ms, run }), () => {}) },
      store: fixture.store,
      readText: () =>
        Promise.resolve({ title: `read ${(reads += 1)}`, passages: [], preview: '', links: [] }),
    })
    for (let edits = 0; edits < 1_000; edits++) indexer.onChanged(document)
    await indexer.whenIdle()
    for (let edits = 0; edits < 1_000; edits++) indexer.onChanged(document)
    expect([reads, rests.map(({ ms }) => ms)]).toEqual([1, [1_000]])
    rests.pop()!.run()
    await indexer.whenIdle()
    expect(reads).toBe(2)
    rests.pop()!.run()
    expect([reads, indexer.waiting]).toEqual([2, 0])
    await indexer.close()
  })

  test('an owner of long texts waits for them, and others for 100 ms', async () => {
    const { indexer, reads, waits } = openPacedIndexer({ bytes: 24 * 2 ** 20 })
    for (const document of ['ada-1', 'ada-2', 'eve-1']) indexer.onChanged(document)
    await expect.poll(() => waits.map(({ ms }) => ms)).toEqual([1_000 * 96 + 2_304, 100])
    waits.pop()!.run()
    await expect.poll(() => reads).toEqual(['ada-1', 'eve-1'])
    expect(indexer.waiting).toBe(3)
    await indexer.close()
    expect(reads).toEqual(['ada-1', 'eve-1'])
  })

  test('a sweep goes on beside documents that wait, and removes what is gone', async () => {
    const { indexer, reads, waits, counts } = openPacedIndexer({ bytes: 24 * 2 ** 20 }, 'ada-1', 'eve-1')
    indexer.onChanged('ada-2')
    await expect.poll(() => waits.length).toBe(2)
    await indexer.sweep()
    expect(counts.removals).toBe(1)
    waits.pop()!.run()
    await expect.poll(() => reads).toEqual(['ada-2', 'eve-1'])
    await indexer.close()
  })

  test('a server that ends does not wait for a thread that reads', async () => {
    const { indexer, reads } = openPacedIndexer({ bytes: 10, isHung: true })
    indexer.onChanged('ada-1')
    await expect.poll(() => reads).toEqual(['ada-1'])
    await indexer.close()
  })

  test('of one person four searches wait at most, and none is made for whoever has gone', async () => {
    await using index = await openIndex()
    const held = Promise.withResolvers<void>()
    let finds = 0
    const holding: SearchIndex = Object.assign(Object.create(index) as SearchIndex, {
      find: async () => (await held.promise, (finds += 1), []),
      close: () => Promise.resolve(),
    })
    const slow = new Search({ index: holding, store: fixture.store, log: silentLogger })
    const gone = new AbortController()
    const find = (signal?: AbortSignal) => slow.find(ada.principal, readSearchQuery('a'), everything, signal)
    const first = find()
    const left = Array.from({ length: 4 }, () => find(gone.signal).catch(() => 'gone'))
    await expect(find()).rejects.toThrow(TooManySearches)
    gone.abort()
    const last = find()
    held.resolve()
    expect(await Promise.all([first, ...left, last])).toEqual([[], 'gone', 'gone', 'gone', 'gone', []])
    expect(finds).toBe(2)
    await slow.close()
  })
})

/** An indexer whose pauses end when a test says so, of documents that are named after their owners. */
function openPacedIndexer(
  { bytes, isHung = false }: { bytes: number; isHung?: boolean },
  ...stale: string[]
) {
  const waits: { ms: number; run: () => void }[] = []
  const reads: string[] = []
  const counts = { removals: 0 }
  const indexer = new SearchIndexer({
    index: {
      write: () => Promise.resolve(true),
      ownerOf: (document) => Promise.resolve(document.split('-')[0]!),
      findStale: () => Promise.resolve({ documents: stale, next: null }),
      removeGone: () => Promise.resolve((counts.removals += 1)),
    },
    log: silentLogger,
    clock: { after: (ms, run) => (waits.push({ ms: Math.floor(ms), run }), () => {}) },
    store: {
      load(document, part) {
        if (part === 'body') reads.push(document)
        const updates = part === 'body' ? [new Uint8Array(bytes)] : []
        return Promise.resolve({ updates, sequence: 1, logLength: 1 })
      },
    },
    readText: () =>
      isHung ? new Promise(() => {}) : Promise.resolve({ title: '', passages: [], preview: '', links: [] }),
  })
  return { indexer, reads, waits, counts }
}
