import { yXmlFragmentToProseMirrorRootNode } from '@tiptap/y-tiptap'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { blocks } from '../../lib/blocks/blocks.ts'
import {
  documentWith,
  sharedTextOf,
  textSchema as schema,
} from '../../lib/blocks/fixtures/block-documents.ts'
import type { JsonMark, JsonNode } from '../../lib/blocks/json-node.ts'
import { isAccessRefusal } from '../access/access.ts'
import { accessRequest, ORIGIN } from '../fixtures/access-fixture.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'
import { writeBlocks } from './write-blocks.ts'
import { createWelcomeDocuments } from './welcome-document.ts'
import { createWelcomeText, welcomeTitle } from './welcome-text.ts'

let fixture: ApiFixture

beforeEach(async () => {
  fixture = await openApiFixture()
})
afterEach(() => fixture[Symbol.asyncDispose]())

const proseMirrorNodeOf = (doc: Y.Doc) =>
  yXmlFragmentToProseMirrorRootNode(doc.getXmlFragment('default'), schema)

const listDocuments = async (cookie: string) =>
  (await fixture.call('GET', '/api/documents', { cookie })).json['documents'] as unknown as {
    id: string
    title: string
    role: string
  }[]

async function principalOf(cookie: string) {
  const principal = await fixture.access.admit(accessRequest({ origin: ORIGIN, cookie }))
  if (isAccessRefusal(principal)) throw new Error(principal.message)
  return principal
}

test('a new guest’s first list shows the welcome document, which the editor can read', async () => {
  const { cookie } = await fixture.issueUnstoredGuest()
  const releaseRooms = fixture.holdRooms()
  const [entry, ...more] = await listDocuments(cookie)
  expect(entry).toMatchObject({ title: welcomeTitle, role: 'owner' })
  expect(more).toEqual([])

  releaseRooms()
  await fixture.welcome.whenIdle()
  const doc = await fixture.loadDocument(entry!.id)
  expect(doc.getText('title').toJSON()).toBe(welcomeTitle)
  const node = proseMirrorNodeOf(doc)
  node.check()
  expect(node.textContent).toContain('means that your text is on the server’s disk')
  expect(await listDocuments(cookie)).toHaveLength(1)
})

test('[A6] a page that was only viewed leaves nothing on the disk; a request for the list stores the guest and the welcome document', async () => {
  const rows = async () => {
    const tables = ['user', 'session', 'documents', 'log'] as const
    const rowsOfTables = await Promise.all(
      tables.map((table) => fixture.db.selectFrom(table).selectAll().execute()),
    )
    return rowsOfTables.map((found) => found.length)
  }
  const { cookie } = await fixture.issueUnstoredGuest()
  expect(await fixture.access.issueOrRenewGuest(accessRequest({ cookie }))).toBeNull() // its second page
  expect(await rows()).toEqual([0, 0, 0, 0])
  expect((await fixture.call('GET', '/api/me', { cookie })).status).toBe(200)
  expect(await rows()).toEqual([1, 1, 0, 0])
  await listDocuments(cookie)
  await fixture.welcome.whenIdle()
  expect(await rows()).toEqual([1, 1, 1, 1])
})

test('lists that several windows request at the same moment show one welcome document', async () => {
  const { cookie } = await fixture.issueUnstoredGuest()
  const lists = await Promise.all(Array.from({ length: 5 }, () => listDocuments(cookie)))
  await fixture.welcome.whenIdle()
  expect(lists.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1])
  expect(await fixture.db.selectFrom('documents').select('id').execute()).toHaveLength(1)
})

test('a deleted welcome document does not come back', async () => {
  const { cookie } = await fixture.issueUnstoredGuest()
  const [entry] = await listDocuments(cookie)
  await fixture.welcome.whenIdle()
  await fixture.call('DELETE', `/api/documents/${entry!.id}`, { cookie })
  expect(await listDocuments(cookie)).toEqual([])
  const afterRestart = createWelcomeDocuments({ db: fixture.db, rooms: fixture.rooms, log: silentLogger })
  await afterRestart.ensureWelcomeDocument(await principalOf(cookie))
  expect(await listDocuments(cookie)).toEqual([])
})

test('a program that begins by creating a document gets no welcome document', async () => {
  const created = await fixture.call('POST', '/api/documents', { body: { title: 'First' } })
  const cookie = created.headers.getSetCookie()[0]!.split(';')[0]!
  expect((await listDocuments(cookie)).map(({ title }) => title)).toEqual(['First'])
})

test('it is removed if its text cannot be written', async () => {
  const { cookie } = await fixture.issueUnstoredGuest()
  fixture.failRoomsWith(new Error('no room'))
  await listDocuments(cookie)
  await fixture.welcome.whenIdle()
  expect(await listDocuments(cookie)).toEqual([])
})

test('it is in nobody else’s list', async () => {
  const [newcomer, other] = [await fixture.issueUnstoredGuest(), await fixture.createPerson()]
  await listDocuments(newcomer.cookie)
  expect(await listDocuments(other.cookie)).toEqual([])
})

// A table is shown as it is not stored (lib/blocks/table/table-markdown.test.ts).
const storedAsShown = blocks.filter(({ name }) => !name.startsWith('table'))

test.each(storedAsShown)('the block $name is stored as the editor stores it', ({ name }) => {
  const doc = new Y.Doc()
  const document = documentWith(schema.nodes[name]!, {}, ['a', 'b'])
  writeBlocks(doc.getXmlFragment('default'), document.toJSON().content as JsonNode[])
  expect(proseMirrorNodeOf(doc).toJSON()).toEqual(document.toJSON())
  expect(doc.getXmlFragment('default').toJSON()).toBe(sharedTextOf(document).toJSON())
})

test('marks are stored as the editor stores them, and an empty line has its text', () => {
  const doc = new Y.Doc()
  const marked = (text: string, ...marks: JsonMark[]): JsonNode => ({ type: 'text', text, marks })
  const runs = [
    marked('a'),
    marked('b', { type: 'bold' }, { type: 'italic' }),
    marked('c', { type: 'link', attrs: { href: 'https://example.com' } }),
    { type: 'hardBreak' },
    marked('d', { type: 'code' }),
  ]
  writeBlocks(doc.getXmlFragment('default'), [{ type: 'paragraph', content: runs }, { type: 'paragraph' }])
  const node = proseMirrorNodeOf(doc)
  node.check()
  expect(node.toString()).toBe(
    'doc(paragraph("a", bold(italic("b")), link("c"), hardBreak, code("d")), paragraph)',
  )
  expect(node.firstChild!.child(2).marks[0]!.attrs['href']).toBe('https://example.com')
  expect((doc.getXmlFragment('default').get(1) as Y.XmlElement).get(0)).toBeInstanceOf(Y.XmlText)
})

test('reading the welcome text in an editor changes nothing in it', () => {
  const doc = new Y.Doc()
  writeBlocks(doc.getXmlFragment('default'), createWelcomeText('2026-11-28'))
  const before = Y.encodeStateVector(doc)
  const node = proseMirrorNodeOf(doc)
  node.check()
  expect(node.lastChild?.type.name).toBe('paragraph')
  expect(Y.encodeStateVector(doc)).toEqual(before)
})

// Pictures and files would need bytes, and a mention needs somebody else.
const absentBlocks = ['orderedList', 'blockquote', 'blockMath', 'picture', 'fileCard', 'hardBreak', 'mention']

test('the welcome text shows each kind of block that needs nothing from elsewhere', () => {
  const shown = new Set<string>()
  const collect = ({ type, content = [] }: JsonNode): void => {
    shown.add(type)
    content.forEach(collect)
  }
  createWelcomeText('2026-11-28').forEach(collect)
  expect(blocks.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual(absentBlocks)
})
