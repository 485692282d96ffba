import { getSchema } from '@tiptap/core'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import StarterKit from '@tiptap/starter-kit'
import { yXmlFragmentToProseMirrorRootNode } from '@tiptap/y-tiptap'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { type ApiFixture, openApiFixture } from './fixture.ts'
import { writeBlocks } from './rich-text.ts'
import { welcomeText, welcomeTitle } from './welcome-text.ts'

let fixture: ApiFixture

beforeEach(async () => {
  fixture = await openApiFixture()
})
afterEach(() => fixture[Symbol.asyncDispose]())

const schema = getSchema([
  StarterKit.configure({ undoRedo: false }),
  TaskList,
  TaskItem.configure({ nested: true }),
])
const asEditorSees = (doc: Y.Doc) => yXmlFragmentToProseMirrorRootNode(doc.getXmlFragment('default'), schema)

const list = async (cookie: string) =>
  (await fixture.call('GET', '/api/documents', { cookie })).json['documents'] as unknown as {
    id: string
    title: string
    role: string
  }[]

test('a new guest’s first list shows the welcome document, which the editor can read', async () => {
  const { principal, cookie } = await fixture.person()
  const letGo = fixture.holdRooms()
  await fixture.welcome.greet(principal)
  const [entry, ...more] = await list(cookie)
  expect(entry).toMatchObject({ title: welcomeTitle, role: 'owner' })
  expect(more).toEqual([])

  letGo()
  await fixture.welcome.settled()
  const doc = await fixture.load(entry!.id)
  expect(doc.getText('title').toJSON()).toBe(welcomeTitle)
  const node = asEditorSees(doc)
  node.check()
  expect(node.textContent).toContain('means that your text is on the server’s disk')
  expect(await list(cookie)).toHaveLength(1)
})

test('where its text cannot be written it is taken back', async () => {
  const { principal, cookie } = await fixture.person()
  fixture.failRoomsWith(new Error('no room'))
  await fixture.welcome.greet(principal)
  await fixture.welcome.settled()
  expect(await list(cookie)).toEqual([])
})

test('nobody else’s list shows it', async () => {
  const [{ principal }, other] = [await fixture.person(), await fixture.person()]
  await fixture.welcome.greet(principal)
  expect(await list(other.cookie)).toEqual([])
})

test('every kind of block and mark is what the editor would have stored', () => {
  const doc = new Y.Doc()
  writeBlocks(doc.getXmlFragment('default'), [
    { kind: 'heading', level: 2, text: ['One'] },
    {
      kind: 'paragraph',
      text: ['a', { text: 'b', bold: true, italic: true }, { text: 'c', code: true }, 'd'],
    },
    { kind: 'paragraph', text: [{ text: 'e', link: 'https://example.com' }, 'f'] },
    { kind: 'bullets', items: [['g'], ['h']] },
    { kind: 'tasks', items: [['i']] },
    { kind: 'quote', text: ['j'] },
    { kind: 'code', language: 'js', text: 'k()\nl()' },
    { kind: 'rule' },
  ])
  const node = asEditorSees(doc)
  node.check()
  expect(node.toString()).toBe(
    'doc(heading("One"), paragraph("a", bold(italic("b")), code("c"), "d"), paragraph(link("e"), "f"), ' +
      'bulletList(listItem(paragraph("g")), listItem(paragraph("h"))), taskList(taskItem(paragraph("i"))), ' +
      'blockquote(paragraph("j")), codeBlock("k()\\nl()"), horizontalRule)',
  )
  expect(node.child(0).attrs['level']).toBe(2)
  expect(node.child(4).child(0).attrs['checked']).toBe(false)
  expect(node.child(6).attrs['language']).toBe('js')
  expect(node.child(2).child(0).marks[0]!.attrs['href']).toBe('https://example.com')
})

test('reading the welcome text in an editor changes nothing in it', () => {
  const doc = new Y.Doc()
  writeBlocks(doc.getXmlFragment('default'), welcomeText)
  const before = Y.encodeStateVector(doc)
  const node = asEditorSees(doc)
  node.check()
  expect(node.lastChild?.type.name).toBe('paragraph')
  expect(Y.encodeStateVector(doc)).toEqual(before)
})
