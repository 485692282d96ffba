import { Editor } from '@tiptap/core'
import { Link } from '@tiptap/extension-link'
import { EditorState, type Plugin } from '@tiptap/pm/state'
import StarterKit from '@tiptap/starter-kit'
import { expect, test } from 'vitest'
import { textSchema } from '@/components/editor/schema-extensions.ts'
import { safeHref } from '@/lib/text/link-address.ts'
import { autolinkPlugin } from './autolink.ts'

/** Types the letters one by one; a line end begins a line. */
function typeLetters(letters: string, plugin: Plugin, schema = textSchema): EditorState {
  let state = EditorState.create({ schema, plugins: [plugin] })
  for (const letter of letters)
    state = state.apply(letter === '\n' ? state.tr.split(state.selection.from) : state.tr.insertText(letter))
  return state
}

function linksIn({ doc }: EditorState): readonly [letters: string, href: unknown][] {
  const links: [string, unknown][] = []
  doc.descendants(({ text, marks }) => {
    const link = marks.find(({ type }) => type.name === 'link')
    if (link) links.push([text!, link.attrs['href']])
  })
  return links
}

function stockPlugin(): [Plugin, typeof textSchema] {
  const stock = Link.configure({
    defaultProtocol: 'https',
    isAllowedUri: (url) => safeHref(url) !== null,
  })
  const content = { type: 'doc', content: [{ type: 'paragraph' }] }
  const extensions = [StarterKit.configure({ link: false }), stock]
  const editor = new Editor({ element: null, extensions, content })
  const plugin = editor.extensionManager.plugins.find((each) =>
    (each as unknown as { key: string }).key.startsWith('autolink'),
  )
  return [plugin!, editor.schema]
}

const typed = [
  'https://example.org ',
  'See example.org/a?b=c#d and more',
  'example.org\nnext',
  '(example.org) ',
  '[example.org] ',
  'example.org, then',
  'example.org. Then',
  'example.com1 ',
  'ada@example.org ',
  'mailto:ada@example.org ',
  'localhost:3000 ',
  'http://localhost:3000 ',
  '10.0.0.1 ',
  'https://10.0.0.1/ ',
  'ftp://example.org ',
  'javascript:alert(1) ',
  'word ',
  '\n\nexample.org ',
  'https://example.org\u00a0',
]

test.each(typed)('what becomes a link in %j is what Tiptap makes one', (letters) => {
  const [plugin, schema] = stockPlugin()
  const stock = linksIn(typeLetters(letters, plugin, schema))
  expect(linksIn(typeLetters(letters, autolinkPlugin(textSchema.marks['link']!)))).toEqual(stock)
})

test('an edit that says so makes no link, and code holds none', () => {
  const plugin = autolinkPlugin(textSchema.marks['link']!)
  const state = typeLetters('example.org', plugin)
  const { tr } = state
  expect(linksIn(state.apply(tr.insertText(' ')))).toHaveLength(1)
  expect(linksIn(state.apply(state.tr.insertText(' ').setMeta('preventAutolink', true)))).toEqual([])
  const inCode = state.apply(state.tr.addMark(1, 12, textSchema.marks['code']!.create()))
  expect(linksIn(inCode.apply(inCode.tr.insertText(' ')))).toEqual([])
})
