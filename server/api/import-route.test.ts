/** [A6] Files become documents, off the main thread, within limits that count; nothing is left of one that is refused. */
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docxOf, pngOf, wordLine, zipOf } from '../../lib/import/fixtures/import-files.ts'
import { treeOf } from '../../lib/text/tree.ts'
import { blocksTextOf } from '../../lib/text/plain-text.ts'
import { Meter } from '../metering/meter.ts'
import { apiUnits } from '../metering/prices.ts'
import { type ApiCallOptions, type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture({ environment: { LIMIT_IMPORT: '1' } })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const importFile = (name: string, file: Readable | Uint8Array, options: ApiCallOptions) =>
  fixture.call('POST', `/api/documents/import?name=${encodeURIComponent(name)}`, { file, ...options })

const countDocuments = async (cookie: string): Promise<number> => {
  const { json } = await fixture.call('GET', '/api/documents', { cookie })
  return (json as unknown as { documents: unknown[] }).documents.length
}

async function textOf(document: string): Promise<string> {
  const doc = await fixture.loadDocument(document)
  return `${doc.getText('title').toJSON()}: ${blocksTextOf(treeOf(doc.getXmlFragment('default')))}`
}

describe('a file becomes a document', () => {
  test('of whoever sends it, in the answer and in their list', async () => {
    const { cookie, principal } = await fixture.createPerson()
    const before = await countDocuments(cookie)
    const answer = await importFile(
      'notes.md',
      Buffer.from('# Plan\n\nHello ![x](https://a.example/x.png)\n'),
      {
        cookie,
      },
    )
    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({
      title: 'Plan',
      role: 'owner',
      owner: { id: principal.id },
      losses: ['1 image was on the web: a link to it is kept.'],
      others: [],
    })
    expect(await textOf(answer.json['id']!)).toBe('Plan: Hello x')
    expect(await countDocuments(cookie)).toBe(before + 1)
  })

  test('with the comments of the JSON that it was exported as', async () => {
    const { cookie } = await fixture.createPerson()
    const at = '2026-11-28T10:00:00.000Z'
    const exported = {
      format: 'diptych',
      version: 1,
      title: 'Plan',
      text: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }] },
      comments: [
        {
          range: { from: { line: 0, offset: 0 }, to: { line: 0, offset: 5 } },
          quote: 'Hello',
          messages: [{ author: 'Bo', at, text: 'Why?' }],
        },
      ],
    }
    const { json } = await importFile('a.json', Buffer.from(JSON.stringify(exported)), { cookie })
    const { text } = await fixture.call('GET', `/api/documents/${json['id']}/export?format=json`, { cookie })
    expect(JSON.parse(text)).toMatchObject({
      ...exported,
      comments: [{ ...exported.comments[0], id: expect.any(String) as string }],
    })
  })
})

describe('a zip', () => {
  const png = pngOf()

  test('becomes its documents, whose pictures are files of theirs', async () => {
    const { cookie } = await fixture.createPerson()
    const stranger = await fixture.createPerson()
    const zip = zipOf({ 'a.md': '![A dot](a.png)', 'a.png': png, 'b.docx': docxOf(wordLine('two')) })
    const { status, json } = await importFile('notes.zip', zip, { cookie })
    expect(status).toBe(201)
    const { id, others } = json as unknown as { id: string; others: { id: string; title: string }[] }
    expect(others.map(({ title }) => title)).toEqual(['b'])
    expect(await textOf(others[0]!.id)).toBe('b: two')
    const { json: listed } = await fixture.call('GET', `/api/documents/${id}/files`, { cookie })
    const { files } = listed as unknown as { files: { id: string; name: string; type: string }[] }
    expect(files).toMatchObject([{ name: 'a.png', type: 'image/png' }])
    const path = `/api/documents/${id}/files/${files[0]!.id}`
    expect(Buffer.from((await fixture.call('GET', path, { cookie })).bytes).equals(png)).toBe(true)
    expect((await fixture.call('GET', path, { cookie: stranger.cookie })).status).toBe(404)
    const exported = await fixture.call('GET', `/api/documents/${id}/export?format=html`, { cookie })
    expect(exported.text).toContain(`data:image/png;base64,${Buffer.from(png).toString('base64')}`)
  })

  test('whose files have no room leaves no document and no file', async () => {
    await using small = await openApiFixture({ environment: { LIMIT_STORAGE_OF_PERSON: '1' } })
    const { cookie } = await small.createPerson()
    const large = Buffer.concat([png, Buffer.alloc(1024 * 1024)])
    const file = zipOf({ 'a.md': '![A dot](a.png)', 'a.png': large })
    const answer = await small.call('POST', '/api/documents/import?name=a.zip', { cookie, file })
    expect([answer.status, answer.json['error']]).toMatchObject([507, { code: 'no-space' }])
    const { count } = await small.db
      .selectFrom('files')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(0)
    const { json } = await small.call('GET', '/api/documents', { cookie })
    // The welcome document.
    expect((json as unknown as { documents: unknown[] }).documents.length).toBeLessThan(2)
  })
})

test('what is stored of a zip stays and is answered, and the documents that a limit refuses are named', async () => {
  await using small = await openApiFixture({ environment: { LIMIT_DOCUMENTS_OF_PERSON: '2/0.001' } })
  const { cookie } = await small.createPerson()
  const file = zipOf({ 'a.md': 'one', 'b.md': 'two', 'c.md': 'three', 'd.md': 'four' })
  const importAgain = () => small.call('POST', '/api/documents/import?name=a.zip', { cookie, file })
  const { status, json } = await importAgain()
  const { id, title, others, losses } = json as unknown as {
    id: string
    title: string
    others: { id: string; title: string }[]
    losses: string[]
  }
  expect([status, title, others.map((one) => one.title)]).toEqual([201, 'a', ['b']])
  expect(losses).toEqual([
    expect.stringMatching(/^Not imported: “c” and 1 more document\. .*LIMIT_DOCUMENTS_OF_PERSON/),
  ])
  const { json: listed } = await small.call('GET', '/api/documents', { cookie })
  const { documents } = listed as unknown as { documents: { id: string }[] }
  expect(documents.map((one) => one.id)).toEqual(expect.arrayContaining([id, others[0]!.id]))
  expect((await importAgain()).status).toBe(429)
})

test('documents of one zip that show the same picture have a file each', async () => {
  const { cookie } = await fixture.createPerson()
  const zip = zipOf({ 'a.md': '![](x.png)\n\n![](x.png)', 'b.md': '![](x.png)', 'x.png': pngOf() })
  const { status, json } = await importFile('a.zip', zip, { cookie })
  expect(status).toBe(201)
  const { id, others } = json as unknown as { id: string; others: { id: string }[] }
  for (const document of [id, others[0]!.id]) {
    const { json: listed } = await fixture.call('GET', `/api/documents/${document}/files`, { cookie })
    expect((listed as unknown as { files: unknown[] }).files).toHaveLength(1)
  }
})

test('what a zip inflates to is paid, also where it is refused', async () => {
  const charged: number[] = []
  const meter = new Meter()
  const charge = meter.charge.bind(meter)
  meter.charge = (principal, units, ...rest) => {
    charged.push(units)
    charge(principal, units, ...rest)
  }
  await using metered = await openApiFixture({ meter })
  const { cookie } = await metered.createPerson()
  const bytes = 8 * 1024 * 1024
  const file = zipOf({ 'a.md': new Uint8Array(bytes) })
  const answer = await metered.call('POST', '/api/documents/import?name=a.zip', { cookie, file })
  expect([answer.status, charged.at(-1)]).toEqual([422, apiUnits.inflated(bytes)])
})

describe('refused, with one sentence and nothing left', () => {
  test.each<[what: string, file: () => Readable | Uint8Array, status: number, sentence: string]>([
    ['too large as announced', () => Buffer.alloc(1024 * 1024 + 1, 'x'), 413, 'at most 1 MB (LIMIT_IMPORT)'],
    [
      'too large without saying so',
      () => Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(64 * 1024, 'x'))),
      413,
      'at most 1 MB (LIMIT_IMPORT)',
    ],
    ['empty', () => Buffer.alloc(0), 422, 'is empty'],
    ['no text', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), 422, 'could not be read as text'],
    ['cut off in the middle', cutOff, 422, 'was cut off'],
  ])('what is %s', async (_what, file, status, sentence) => {
    const { cookie } = await fixture.createPerson()
    const before = await countDocuments(cookie)
    const answer = await importFile('a.md', file(), { cookie })
    expect([answer.status, answer.json['error']]).toMatchObject([
      status,
      { message: expect.stringContaining(sentence) as string },
    ])
    expect(await countDocuments(cookie)).toBe(before)
    expect(await readdir(fixture.files.importsFolder).catch(() => [])).toEqual([])
  })

  test('what has no name, and whoever has no session', async () => {
    const { cookie } = await fixture.createPerson()
    const file = Buffer.from('x')
    expect((await fixture.call('POST', '/api/documents/import', { file, cookie })).status).toBe(400)
    expect((await importFile('a.md', file, {})).status).toBe(401)
    expect((await importFile('a.md', file, { cookie, origin: 'https://evil.example' })).status).toBe(403)
  })
})

function cutOff(): Readable {
  const body = new Readable({ read() {} })
  body.push('# Plan')
  setImmediate(() => body.destroy())
  return body
}

test('one person has few files on their way at once, and others are not kept waiting', async () => {
  const [eve, ada] = [await fixture.createPerson(), await fixture.createPerson()]
  const slow = Array.from({ length: 4 }, () => new Readable({ read() {} }))
  const waiting = slow.map((body) => importFile('a.md', body, { cookie: eve.cookie }))
  await fixture.call('GET', '/api/me', { cookie: eve.cookie })
  const refused = await importFile('a.md', Buffer.from('x'), { cookie: eve.cookie })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect((await importFile('a.md', Buffer.from('x'), { cookie: ada.cookie })).status).toBe(201)
  for (const body of slow) {
    body.push('x')
    body.push(null)
  }
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(201)
})
