import { type Editor, createChainableState } from '@tiptap/core'
import { Node } from '@tiptap/pm/model'
import { EditorState, Selection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { textSchema as schema } from '@/components/editor/schema-extensions.ts'
import { insertLinkCard, loneAddressIn } from './link-card-commands.ts'

const href = 'https://example.org/'
const linked = (text: string, address = href) => ({
  type: 'text',
  text,
  marks: [{ type: 'link', attrs: { href: address } }],
})
const plain = (text: string) => ({ type: 'text', text })
const paragraph = (...content: object[]) => ({ type: 'paragraph', content })
const card = (address: string, ...content: object[]) => ({
  type: 'linkCard',
  attrs: { href: address },
  content: [{ type: 'caption', ...(content.length > 0 && { content }) }],
})

/** With the caret at the end of the first line. */
function stateOf(...content: object[]): EditorState {
  const doc = Node.fromJSON(schema, { type: 'doc', content })
  const caret = Selection.near(doc.resolve(doc.firstChild!.nodeSize - 1), -1)
  return EditorState.create({ doc, selection: caret })
}

function makeCard(...content: object[]): [doc: unknown, caret: number] | null {
  const state = stateOf(...content)
  const { tr } = state
  const done = insertLinkCard({
    state: createChainableState({ state, transaction: tr }),
    tr,
    editor: null as unknown as Editor,
  } as Parameters<typeof insertLinkCard>[0])
  tr.doc.check()
  return done ? [tr.doc.toJSON().content, tr.selection.from] : null
}

test.each([
  ['a link', [linked('here')], href],
  [
    'a link in two parts',
    [linked('he'), { ...linked('re'), marks: [{ type: 'bold' }, ...linked('').marks] }],
    href,
  ],
  ['an address without a link', [plain('https://example.org/a')], 'https://example.org/a'],
  ['a link and a word', [linked('here'), plain(' word')], ''],
  ['two links', [linked('a'), linked('b', 'https://example.org/b')], ''],
  ['a script', [linked('a', 'javascript:alert(1)')], ''],
  ['nothing', [], ''],
])('a line of %s: %j is alone there', (_name, content, expected) => {
  expect(loneAddressIn(stateOf(paragraph(...content)))).toBe(expected)
})

test('a line that is an address becomes a card, with the caret in its title', () => {
  expect(makeCard(paragraph(linked('example.org')))).toEqual([[card(href)], 2])
  expect(makeCard(paragraph(linked('The page')))).toEqual([[card(href, plain('The page'))], 10])
})

test('an empty line becomes a card that asks for its address; below other letters it is one of its own', () => {
  expect(makeCard({ type: 'paragraph' })).toEqual([[card('')], 2])
  expect(makeCard(paragraph(plain('words')))).toMatchObject([[paragraph(plain('words')), card('')], 9])
})

test('in a caption there is no room for one', () => {
  const state = stateOf(card(href))
  const { tr } = state
  const chainable = createChainableState({ state, transaction: tr })
  expect(insertLinkCard({ state: chainable, tr } as Parameters<typeof insertLinkCard>[0])).toBe(false)
  expect(tr.docChanged).toBe(false)
})
