import { getSchema } from '@tiptap/core'
import { yXmlFragmentToProseMirrorRootNode } from '@tiptap/y-tiptap'
import { expect, test } from 'vitest'
import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import { NoteChannel } from '@/lib/sync/note-channel.ts'
import { extensionsFor } from '../editor/extensions.ts'

const doc = new Y.Doc()
const awareness = new Awareness(doc)
clearInterval(awareness._checkInterval)
const schema = getSchema(
  extensionsFor({ doc, awareness, undoNotes: new NoteChannel() } as unknown as OpenDocument),
)

/** What the editor renders for content that somebody wrote without an editor. */
function renderedBlock(block: string, write: (element: Y.XmlElement, text: Y.XmlText) => void) {
  const fragment = new Y.Doc().getXmlFragment('default')
  const [element, text] = [new Y.XmlElement(block), new Y.XmlText()]
  fragment.insert(0, [element])
  element.insert(0, [text])
  write(element, text)
  const root = yXmlFragmentToProseMirrorRootNode(fragment, schema)
  root.check()
  return root.firstChild!
}

function renderedLink(attributes: Record<string, unknown>) {
  const paragraph = renderedBlock('paragraph', (_element, text) =>
    text.insert(0, 'letters', { link: attributes }),
  )
  const mark = paragraph.firstChild!.marks[0]!
  return mark.type.spec.toDOM!(mark, true)
}

function renderedCode(language: unknown) {
  const block = renderedBlock('codeBlock', (element, text) => {
    element.setAttribute('language', language as string)
    text.insert(0, 'letters')
  })
  return block.type.spec.toDOM!(block)
}

const ownAttributes = { target: '_blank', rel: 'noopener noreferrer nofollow' }

test('a link takes only its address from the text', () => {
  const hostileAttributes = {
    href: 'https://example.org',
    class: 'fixed inset-0 z-50',
    target: '_top',
    rel: 'opener',
    title: 'x',
    style: 'position: fixed',
    onclick: 'alert(1)',
  }
  expect(renderedLink(hostileAttributes)).toEqual(['a', { ...ownAttributes, href: 'https://example.org' }, 0])
})

test.each([
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  '',
  null,
  { toString: 'x' },
])('a link to %j is shown as plain text', (href) => {
  expect(renderedLink({ href })).toEqual(['span', 0])
})

test.each(['ts', 'c++', 'c#', 'objective-c', 'x'.repeat(40)])('code in %s shows its language', (language) => {
  expect(renderedCode(language)).toEqual(['pre', ['code', { class: `language-${language}` }, 0]])
})

test.each(['x fixed inset-0 z-50', 'x\tfixed', 'ts\n', '"><b>', 'x'.repeat(41), '', 7, null, ['ts']])(
  'code in the invalid language %j is shown without a language',
  (language) => {
    expect(renderedCode(language)).toEqual(['pre', ['code', { class: null }, 0]])
  },
)
