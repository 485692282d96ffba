/** [A3] A document is written in other formats for whoever may read it, off the main thread, within limits that count. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { startThread } from '../../lib/comments/edit-threads.ts'
import { threadAnchorOf } from '../../lib/comments/thread-anchor.ts'
import { createFileId } from '../../lib/files/file-reference.ts'
import { findFile, findStorageKey } from '../files/file-records.ts'
import { linesOf } from '../../lib/text/lines.ts'
import { treeOf } from '../../lib/text/tree.ts'
import { RealServer } from '../fixtures/real-server.ts'
import { openSharedDocument } from '../fixtures/shared-document.ts'
import { FileClient } from './fixtures/file-client.ts'
import { type ApiCallOptions, type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'
import type { JsonNode } from '../../lib/blocks/json-node.ts'
import { DownloadStalled } from '../versions/state-downloads.ts'
import { writeBlocks } from './write-blocks.ts'
import { triesAll } from '../../lib/fixtures/runs.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000020000000108060000', 'hex')

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

async function createDocument(title: string, ...blocks: readonly JsonNode[]) {
  const { cookie, principal } = await fixture.createPerson()
  const { json } = await fixture.call('POST', '/api/documents', { cookie, body: { title } })
  const id = json['id']! as string
  await fixture.rooms.edit(id, 'body', principal, (doc) => writeBlocks(doc.getXmlFragment('default'), blocks))
  return { id, cookie, principal }
}

async function addComment(document: string, words: string): Promise<void> {
  const [body, comments] = [await fixture.loadDocument(document), new Y.Doc()]
  const lines = linesOf(treeOf(body.getXmlFragment('default')))
  const line = lines.texts.findIndex((text) => text.includes(words))
  const anchor = threadAnchorOf(lines, {
    from: { line, offset: 0 },
    to: { line, offset: words.length },
  })
  startThread(comments, anchor!, { id: 'user:bo', name: 'Bo' }, 'Why?')
  const update = Y.encodeStateAsUpdate(comments)
  const clients = [comments.clientID]
  await fixture.store.append([
    { document, part: 'comments', update, principal: 'user:bo', session: 's', number: 1, clients },
  ])
}

async function upload(document: string, bytes: Buffer, name: string): Promise<string> {
  const id = createFileId()
  const { uploads } = fixture.files
  await uploads.begin({ document, id, bytes: bytes.length, name, uploadedBy: 'user:bo' })
  await uploads.append({ document, id }, { offset: 0, body: Readable.from([bytes]), checksum: null })
  return id
}

const requestExport = (document: string, query: string, options: ApiCallOptions) =>
  fixture.call('GET', `/api/documents/${document}/export?${query}`, options)

const filesIn = (zip: Uint8Array): Record<string, Uint8Array> => unzipSync(zip)

const hello: JsonNode = { type: 'paragraph', content: [{ type: 'text', text: 'Hello there' }] }

describe('a document is exported', () => {
  test.each([
    ['markdown', 'text/markdown; charset=utf-8', 'Plan 2026.md', '# Plan 2026\n\nHello there\n'],
    ['txt', 'text/plain; charset=utf-8', 'Plan 2026.txt', 'Hello there\n'],
    ['json', 'application/json', 'Plan 2026.json', '"Hello there"'],
    ['html', 'text/html; charset=utf-8', 'Plan 2026.html', '<p>Hello there</p>'],
  ])('as %s', async (format, type, name, letters) => {
    const { id, cookie } = await createDocument('Plan 2026', hello)
    const answer = await requestExport(id, `format=${format}`, { cookie })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('content-disposition')).toContain(`attachment; filename="${name}"`)
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.text).toContain(letters)
  })

  test('in the language that was asked for, by its owner', async () => {
    const { id, cookie, principal } = await createDocument('Plan', {
      type: 'paragraph',
      content: [{ type: 'date', attrs: { day: '2026-11-28' } }],
    })
    const { text } = await requestExport(id, 'format=html&language=de', { cookie })
    expect(text).toContain('<html lang="de" dir="ltr">')
    expect(text).toContain('28.11.2026')
    expect(text).toContain(`<meta name="author" content="${principal.name}">`)
  })

  test('with its pictures in a page, whatever their length is', async () => {
    for (const length of [28, 29, 30, 200_000]) {
      const { id, cookie, principal } = await createDocument('Plan')
      const bytes = Buffer.alloc(length, 7)
      png.copy(bytes)
      const file = await upload(id, bytes, 'a.png')
      await fixture.rooms.edit(id, 'body', principal, (doc) =>
        writeBlocks(doc.getXmlFragment('default'), [
          { type: 'picture', attrs: { file, type: 'image/png' }, content: [{ type: 'caption' }] },
        ]),
      )
      const { text } = await requestExport(id, 'format=html', { cookie })
      const [, base64 = ''] = /src="data:image\/png;base64,([^"]*)"/.exec(text) ?? []
      expect(Buffer.from(base64, 'base64').equals(bytes)).toBe(true)
    }
  })

  test('with comments or without, in JSON always', async () => {
    const { id, cookie } = await createDocument('Plan', hello)
    await addComment(id, 'Hello')
    expect((await requestExport(id, 'format=html', { cookie })).text).toContain('Why?')
    expect((await requestExport(id, 'format=html&comments=false', { cookie })).text).not.toContain('Why?')
    expect((await requestExport(id, 'format=json&comments=false', { cookie })).text).toContain('Why?')
  })

  test('with a name for the file that any system can store', async () => {
    const { id, cookie } = await createDocument('../a/b: "c"\u202E', hello)
    const { headers } = await requestExport(id, 'format=txt', { cookie })
    expect(headers.get('content-disposition')).toContain('filename="a b c.txt"')
  })
})

test('as a file of Word, with its pictures and comments', async () => {
  const { id, cookie, principal } = await createDocument('Plan', hello)
  await addComment(id, 'Hello')
  const [file] = [await upload(id, png, 'a.png'), await upload(id, Buffer.concat([png, png]), 'unused.png')]
  await fixture.rooms.edit(id, 'body', principal, (doc) =>
    writeBlocks(doc.getXmlFragment('default'), [
      { type: 'picture', attrs: { file, type: 'image/png' }, content: [{ type: 'caption' }] },
    ]),
  )
  const { headers, bytes } = await requestExport(id, 'format=docx', { cookie })
  expect(headers.get('content-disposition')).toContain('filename="Plan.docx"')
  const zipped = filesIn(bytes)
  const media = Object.entries(zipped).filter(([name]) => name.startsWith('word/media/'))
  expect(media.map(([, data]) => Buffer.from(data).equals(png))).toEqual([true])
  expect(strFromU8(zipped['word/document.xml']!)).toMatch(/>Hello<.*> there</s)
  expect(strFromU8(zipped['word/comments.xml']!)).toContain('Why?')
})

test('a picture whose bytes the storage has lost has a sentence in its place, and is counted', async () => {
  const { id, cookie, principal } = await createDocument('Plan', hello)
  const [kept, lost] = [await upload(id, png, 'a.png'), await upload(id, randomPng(), 'b.png')]
  const pictureOf = (file: string, alt: string): JsonNode => ({
    type: 'picture',
    attrs: { file, type: 'image/png', alt },
    content: [{ type: 'caption' }],
  })
  await fixture.rooms.edit(id, 'body', principal, (doc) =>
    writeBlocks(doc.getXmlFragment('default'), [pictureOf(kept, 'Sea'), pictureOf(lost, 'Fox')]),
  )
  const { sha256 } = (await findFile(fixture.db, { document: id, id: lost }))!
  await fixture.files.storage.delete((await findStorageKey(fixture.db, sha256))!)
  const page = await requestExport(id, 'format=html', { cookie })
  expect(page.text).toContain('Picture: Fox. Its file is missing.')
  expect(page.text.match(/<img /g)).toHaveLength(1)
  const word = await requestExport(id, 'format=docx', { cookie })
  const zipped = filesIn(word.bytes)
  expect(strFromU8(zipped['word/document.xml']!)).toContain('Picture: Fox. Its file is missing.')
  expect(Object.keys(zipped).filter((name) => name.startsWith('word/media/'))).toHaveLength(1)
  for (const { headers } of [page, word]) expect(headers.get('diptych-missing-pictures')).toBe('1')
})

/** Other bytes than those of any other picture. */
const randomPng = (): Buffer => Buffer.concat([png, randomBytes(16)])

describe('rights', () => {
  test('a viewer may, by a link, too', async () => {
    const { id, principal } = await createDocument('Plan', hello)
    const viewer = await fixture.createPerson()
    const { token } = await fixture.access.createShareLink(id, 'viewer', principal)
    await fixture.access.redeemShareLink(viewer.principal, id, token)
    expect((await requestExport(id, 'format=txt', { cookie: viewer.cookie })).text).toContain('Hello')
    expect((await requestExport(id, 'format=txt', { token })).text).toContain('Hello')
  })

  test('a stranger may not, and learns nothing', async () => {
    const { id } = await createDocument('Plan', hello)
    const { cookie } = await fixture.createPerson()
    const [there, missing] = [
      await requestExport(id, 'format=txt', { cookie }),
      await requestExport('A'.repeat(22), 'format=txt', { cookie }),
    ]
    expect([there.status, there.text]).toEqual([missing.status, missing.text])
    expect(there.status).toBe(404)
  })

  test('[A4] a right that was taken away ends an answer in its middle', async () => {
    // More than the network holds by itself.
    const bytes = Buffer.concat([png, randomBytes(24 * 1024 * 1024)])
    await using server = await RealServer.start()
    const shared = await server.createDocument()
    const file = await new FileClient(server, shared.id).upload({ cookie: shared.cookie }, bytes)
    const writer = openSharedDocument(server.origin('http'), shared)
    await writer.whenSynced
    writeBlocks(writer.doc.getXmlFragment('default'), [
      { type: 'picture', attrs: { file, type: 'image/png' }, content: [{ type: 'caption' }] },
    ])
    await writer.whenSaved()
    await writer.close()
    const origin = server.origin('http')
    const headers = { authorization: `Bearer ${shared.tokens.viewer}` }
    const reading = ['html', 'zip', 'docx'].map(async (format) => {
      const path = `${origin}/api/documents/${shared.id}/export?format=${format}`
      const [answer] = (await once(httpRequest(path, { headers, agent: false }).end(), 'response')) as [
        IncomingMessage,
      ]
      expect(answer.statusCode).toBe(200)
      return answer
    })
    const answers = await Promise.all(reading)
    const owner = { cookie: shared.cookie, origin }
    const links = `${origin}/api/documents/${shared.id}/links`
    const { links: all } = (await (await fetch(links, { headers: owner })).json()) as {
      links: { id: string }[]
    }
    for (const { id } of all) await fetch(`${links}/${id}`, { method: 'DELETE', headers: owner })
    for (const answer of answers)
      await expect(buffer(answer).then(({ length }) => length)).rejects.toThrow('aborted')
  })

  test.each(['', 'format=exe', 'format=html&language=%22%3E', 'format=html&comments=maybe'])(
    'what is no format or option is refused: %s',
    async (query) => {
      const { id, cookie } = await createDocument('Plan', hello)
      expect((await requestExport(id, query, { cookie })).status).toBe(400)
    },
  )
})

describe('a zip', () => {
  test('of a document has its text and its files, under names that Markdown leads to', async () => {
    const { id, cookie, principal } = await createDocument('Plan 2026')
    const names = ['a (1).png', 'a (1).png', '']
    const files = await Promise.all(names.map((name) => upload(id, png, name)))
    const pdf = await upload(id, Buffer.from('%PDF-1.7 letters'), '../b.pdf')
    await fixture.rooms.edit(id, 'body', principal, (doc) =>
      writeBlocks(doc.getXmlFragment('default'), [
        ...files.map((file): JsonNode => ({
          type: 'picture',
          attrs: { file },
          content: [{ type: 'caption' }],
        })),
        { type: 'fileCard', attrs: { file: pdf, name: 'b.pdf' }, content: [{ type: 'caption' }] },
      ]),
    )
    const { status, headers, bytes } = await requestExport(id, 'format=zip', { cookie })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip'])
    const zipped = filesIn(bytes)
    expect(Object.keys(zipped)).toEqual([
      'Plan 2026.md',
      'Plan 2026.json',
      'files/a (1).png',
      'files/a (1) (2).png',
      'files/picture.png',
      'files/b.pdf',
    ])
    expect(Buffer.from(zipped['files/a (1) (2).png']!).equals(png)).toBe(true)
    const markdown = strFromU8(zipped['Plan 2026.md']!)
    for (const [, address] of markdown.matchAll(/\]\(([^)\s]+)/g))
      expect(zipped[decodeURIComponent(address!)], address).toBeDefined()
    expect(markdown).toContain('](files/a%20%281%29.png)')
    expect(JSON.parse(strFromU8(zipped['Plan 2026.json']!))).toMatchObject({ format: 'diptych' })
  })

  test('of all documents has a folder for each that one owns, and none of others', async () => {
    const { cookie, principal } = await createDocument('Plan', hello)
    for (const title of ['plan', '../plan', '']) {
      const { json } = await fixture.call('POST', '/api/documents', { cookie, body: { title } })
      await fixture.rooms.edit(json['id']!, 'body', principal, (doc) =>
        writeBlocks(doc.getXmlFragment('default'), [hello]),
      )
    }
    const other = await createDocument('Of another', hello)
    const { token } = await fixture.access.createShareLink(other.id, 'editor', other.principal)
    await fixture.access.redeemShareLink(principal, other.id, token)
    const { status, headers, bytes } = await fixture.call('GET', '/api/export', { cookie })
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="Diptych documents \d{4}-\d\d-\d\d\.zip"/),
    ])
    const folders = Object.keys(filesIn(bytes)).map((name) => name.split('/')[0])
    expect(new Set(folders)).toEqual(new Set(['Untitled', 'plan', 'plan (2)', 'Plan (3)']))
    const texts = Object.entries(filesIn(bytes)).filter(([name]) => name.endsWith('.md'))
    for (const [, text] of texts) expect(strFromU8(text)).toContain('Hello there')
  })

  test('names what could not be written, and has the rest', async () => {
    const { id, cookie, principal } = await createDocument('Lost', hello)
    await createDocument('Another', hello)
    const { json } = await fixture.call('POST', '/api/documents', { cookie, body: { title: 'Kept' } })
    const file = await upload(json['id']!, png, 'gone.png')
    await fixture.rooms.edit(json['id']!, 'body', principal, (doc) =>
      writeBlocks(doc.getXmlFragment('default'), [
        { type: 'picture', attrs: { file }, content: [{ type: 'caption' }] },
      ]),
    )
    for await (const { key } of fixture.files.storage.list()) await fixture.files.storage.delete(key)
    const update = Buffer.from('no update')
    await fixture.store.append([
      { document: id, part: 'body', update, principal: principal.id, session: 's', number: 99, clients: [] },
    ])
    const zipped = filesIn((await fixture.call('GET', '/api/export', { cookie })).bytes)
    expect(Object.keys(zipped)).toEqual(['Kept/Kept.md', 'Kept/Kept.json', 'Not in this zip.txt'])
    const leftOut = strFromU8(zipped['Not in this zip.txt']!)
    expect(leftOut).toMatch(/Kept, files\/gone\.png: .*\r\nLost: .*\/d\//)
  })

  test('a file that is on a device alone is named in the zip', async () => {
    const { id, cookie, principal } = await createDocument('Plan', hello)
    await fixture.rooms.edit(id, 'body', principal, (doc) =>
      writeBlocks(doc.getXmlFragment('default'), [
        {
          type: 'fileCard',
          attrs: { file: 'never-uploaded-0000000', name: 'notes.pdf', type: 'application/pdf' },
          content: [{ type: 'caption' }],
        },
      ]),
    )
    const { bytes } = await fixture.call('GET', `/api/documents/${id}/export?format=zip`, { cookie })
    const zipped = filesIn(bytes)
    expect(Object.keys(zipped)).toEqual(['Plan.md', 'Plan.json', 'Not in this zip.txt'])
    expect(strFromU8(zipped['Not in this zip.txt']!)).toContain('Plan, files/notes.pdf')
    expect(strFromU8(zipped['Plan.md']!)).not.toContain('files/')
  })

  describe('[A4] of all documents, when one is deleted in the middle', () => {
    /** The zip has the newest first. @param onOpened Called when the bytes of a file of the newest are asked for. */
    async function exportTwo(onOpened: (ids: { older: string; newer: string }, cookie: string) => unknown) {
      const { id: older, cookie, principal } = await createDocument('Older', hello)
      const { json } = await fixture.call('POST', '/api/documents', { cookie, body: { title: 'Newer' } })
      const newer = json['id']! as string
      const file = await upload(newer, Buffer.concat([png, randomBytes(8)]), 'a.png')
      await fixture.rooms.edit(newer, 'body', principal, (doc) =>
        writeBlocks(doc.getXmlFragment('default'), [
          { type: 'picture', attrs: { file }, content: [{ type: 'caption' }] },
        ]),
      )
      const { storage } = fixture.files
      const open = storage.open.bind(storage)
      vi.spyOn(storage, 'open').mockImplementationOnce(async (...args) => {
        await onOpened({ older, newer }, cookie)
        return open(...args)
      })
      return { cookie, older, answer: fixture.call('GET', '/api/export', { cookie }) }
    }
    const deleteDocument = (id: string, cookie: string) =>
      fixture.call('DELETE', `/api/documents/${id}`, { cookie })

    test('one whose turn is still to come is left out', async () => {
      const { answer, older } = await exportTwo(({ older: id }, cookie) => deleteDocument(id, cookie))
      const zipped = filesIn((await answer).bytes)
      expect(Object.keys(zipped)).toEqual([
        'Newer/Newer.md',
        'Newer/Newer.json',
        'Newer/files/a.png',
        'Not in this zip.txt',
      ])
      expect(strFromU8(zipped['Not in this zip.txt']!)).toContain(older)
    })

    test('one that is on its way ends the answer, and the next export begins', async () => {
      const cut = Promise.withResolvers<void>()
      const { answer, cookie } = await exportTwo(async ({ newer }, owner) => {
        await deleteDocument(newer, owner)
        await cut.promise
      })
      await expect(answer).rejects.toThrow(DownloadStalled)
      cut.resolve()
      expect((await fixture.call('GET', '/api/export', { cookie })).status).toBe(200)
    })
  })

  test('of all documents is for a person alone', async () => {
    const { id, principal } = await createDocument('Plan', hello)
    const { token } = await fixture.access.createShareLink(id, 'editor', principal)
    expect((await fixture.call('GET', '/api/export', { token })).status).toBe(403)
    expect((await fixture.call('GET', '/api/export')).status).toBe(401)
  })
})

describe('HEAD', () => {
  test('of all documents answers the headers, and keeps nothing open', async () => {
    const { cookie } = await createDocument('Plan', hello)
    const { status, headers, bytes } = await fixture.call('HEAD', '/api/export', { cookie })
    expect([status, headers.get('content-type'), bytes.length]).toEqual([200, 'application/zip', 0])
    expect((await fixture.call('GET', '/api/export', { cookie })).status).toBe(200)
  })

  test('of a document takes no place among the transfers', async () => {
    const { id, cookie } = await createDocument('Plan', hello)
    const path = `/api/documents/${id}/export?format=txt`
    const { headers } = await fixture.call('HEAD', path, { cookie })
    expect(headers.get('content-disposition')).toContain('filename="Plan.txt"')
    for (let sent = 1; sent <= 200; sent++)
      expect((await fixture.call('HEAD', path, { cookie })).status).toBe(200)
    expect((await fixture.call('GET', path, { cookie })).text).toContain('Hello there')
  })
})

test.runIf(triesAll)(
  'a document that would be too large in a format is refused, and is still read in others',
  async () => {
    const blocks = Array.from({ length: 1_100 }, (): JsonNode[] => [
      { type: 'tableOfContents' },
      { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'x' }] },
    ]).flat()
    const { id, cookie } = await createDocument('Plan', ...blocks)
    const { status, json } = await requestExport(id, 'format=html', { cookie })
    expect([status, json['error']]).toMatchObject([413, { code: 'too-large' }])
    expect((await requestExport(id, 'format=json', { cookie })).status).toBe(200)
  },
)
