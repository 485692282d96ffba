import type { InputRule } from '@tiptap/core'
import { Node } from '@tiptap/pm/model'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { blockStyleName, blockStyleOf } from '../editor/menus/block-styles.ts'
import { textSchema as schema } from '../editor/schema-extensions.ts'
import { markdownLinkRule } from './link/markdown-link-rule.ts'
import { markdownTableRule } from './table/markdown-table-rule.ts'
import { markdownTaskRule } from './task-list/markdown-task-rule.ts'

const block = (type: string, ...content: object[]) => ({ type, content })
const text = (letters: string) => ({ type: 'text', text: letters })
const paragraph = (letters = '') => block('paragraph', ...(letters ? [text(letters)] : []))
const bullets = (...items: object[][]) =>
  block('bulletList', ...items.map((content) => block('listItem', ...content)))
const tasks = (...items: [checked: boolean, ...content: object[]][]) =>
  block(
    'taskList',
    ...items.map(([checked, ...content]) => ({ type: 'taskItem', attrs: { checked }, content })),
  )
const docOf = (...content: object[]) => Node.fromJSON(schema, { type: 'doc', content })

/** Types the last of `letters` at the "^" in the text. Returns what the rule makes of it, null if nothing. */
function typeLetters(rule: InputRule, doc: Node, letters: string) {
  let caret = 0
  doc.descendants((node, pos) => {
    if (node.isText && node.text!.includes('^')) caret = pos + node.text!.indexOf('^')
  })
  const written = letters.slice(0, -1)
  const before = EditorState.create({ doc })
  const setupTransaction = before.tr.delete(caret, caret + 1)
  if (written) setupTransaction.insertText(written, caret)
  setupTransaction.setSelection(TextSelection.create(setupTransaction.doc, caret + written.length))
  const state = before.apply(setupTransaction)
  const match = (rule.find as RegExp).exec(
    state.selection.$from.parent.textBetween(0, state.selection.$from.parentOffset) + letters.slice(-1),
  )
  if (!match) return null
  const to = state.selection.from
  const { tr } = state
  // Tiptap passes a rule a state whose transaction is always the same.
  const chained = Object.create(state, { tr: { value: tr } }) as EditorState
  const range = { from: to - (match[0].length - 1), to }
  const outcome = rule.handler({ state: chained, range, match } as never) as null | undefined
  if (outcome === null) return null
  tr.doc.check()
  return tr
}

const taskRule = markdownTaskRule(schema.nodes.taskItem!)
const linkRule = markdownLinkRule(schema.marks.link!)

test.each([
  ['[ ] ', false],
  ['[] ', false],
  ['[x] ', true],
  ['[X] ', true],
])('%j in a bullet makes it a task', (letters, checked) => {
  const tr = typeLetters(taskRule, docOf(bullets([paragraph('^call')])), letters)!
  expect(tr.doc.toJSON()).toEqual(docOf(tasks([checked, paragraph('call')])).toJSON())
  expect(tr.selection.$from.parent.textContent).toBe('call')
  expect(tr.selection.$from.parentOffset).toBe(0)
})

test('the bullets around a new task stay bullets, and its nested items stay under it', () => {
  const doc = docOf(bullets([paragraph('a')], [paragraph('^b'), bullets([paragraph('c')])], [paragraph('d')]))
  const expected = docOf(
    bullets([paragraph('a')]),
    tasks([false, paragraph('b'), bullets([paragraph('c')])]),
    bullets([paragraph('d')]),
  )
  expect(typeLetters(taskRule, doc, '[ ] ')!.doc.toJSON()).toEqual(expected.toJSON())
})

test('a nested bullet becomes a nested task', () => {
  const doc = docOf(bullets([paragraph('a'), bullets([paragraph('^b')])]))
  const expected = docOf(bullets([paragraph('a'), tasks([true, paragraph('b')])]))
  expect(typeLetters(taskRule, doc, '[x] ')!.doc.toJSON()).toEqual(expected.toJSON())
})

test('a new task after tasks joins their list', () => {
  const tr = typeLetters(taskRule, docOf(tasks([true, paragraph('a')]), bullets([paragraph('^b')])), '[ ] ')!
  expect(tr.doc.toJSON()).toEqual(docOf(tasks([true, paragraph('a')], [false, paragraph('b')])).toJSON())
  expect(tr.selection.$from.parent.textContent).toBe('b')
})

test.each(['[x] ', '- [x] '])('%j marks a task as done, and makes a bullet a task', (letters) => {
  const done = docOf(tasks([true, paragraph('a')])).toJSON()
  expect(typeLetters(taskRule, docOf(tasks([false, paragraph('^a')])), letters)!.doc.toJSON()).toEqual(done)
  expect(typeLetters(taskRule, docOf(bullets([paragraph('^a')])), letters)!.doc.toJSON()).toEqual(done)
})

test('a box that is not at the beginning of a bullet is not handled here', () => {
  expect(typeLetters(taskRule, docOf(paragraph('^')), '[ ] ')).toBeNull()
  expect(typeLetters(taskRule, docOf(bullets([paragraph('a ^')])), '[ ] ')).toBeNull()
  expect(typeLetters(taskRule, docOf(bullets([paragraph('a'), paragraph('^')])), '[ ] ')).toBeNull()
})

const tableRule = markdownTableRule()
const rowsOf = (doc: Node): string[] => {
  const rows: string[] = []
  doc.descendants((node) => {
    if (node.type.name !== 'tableRow') return
    rows.push(node.children.map((cell) => `${cell.attrs.align ?? ''} ${cell.textContent}`).join('|'))
  })
  return rows
}

test('a line of names and one of dashes become a table, and the caret stands in its next row', () => {
  const bold = { type: 'text', text: 'Price', marks: [{ type: 'bold' }] }
  const names = block('paragraph', text('| Name |'), bold, text(' | |'))
  const tr = typeLetters(tableRule, docOf(paragraph('before'), names, paragraph('^')), '|---|:-:| -: |\n')!
  expect(rowsOf(tr.doc)).toEqual([' Name|center Price|right ', ' |center |right '])
  expect(tr.doc.childCount).toBe(2)
  const price = tr.doc.child(1).firstChild!.child(1).firstChild!
  expect(price.firstChild!.marks.map(({ type }) => type.name)).toEqual(['bold'])
  expect(tr.selection.$from.node(-2).childCount).toBe(3)
  expect(tr.selection.$from.index(1)).toBe(1)
})

test.each([
  ['without names', [paragraph('^')]],
  ['with other names', [paragraph('| a | b |'), paragraph('^')]],
  ['with names that are no row', [paragraph('a'), paragraph('^')]],
  ['behind a heading', [block('heading', text('| a |')), paragraph('^')]],
])('a line of dashes %s stays as it is', (_what, content) => {
  expect(typeLetters(tableRule, docOf(...content), '| --- |\n')).toBeNull()
})

test('a long line of bars and dashes is looked through once', () => {
  const letters = `| ${'- '.repeat(10_000)}|\n`
  expect(typeLetters(tableRule, docOf(paragraph('| a |'), paragraph('^')), letters)).toBeNull()
})

const linkAfterTyping = (letters: string) => {
  const tr = typeLetters(linkRule, docOf(paragraph('see ^')), letters)
  const node = tr?.doc.firstChild?.lastChild
  return node ? [tr.doc.textContent, node.text, node.marks[0]?.attrs] : null
}

test.each(['https://example.org/a_(b)', 'http://example.org', 'mailto:ada@example.org'])(
  'Markdown for a link to %s makes one',
  (href) => {
    expect(linkAfterTyping(`[the page](${href})`)).toEqual(['see the page', 'the page', { href }])
  },
)

test.each([
  '[x](javascript:alert(1))',
  '[x](data:text/html,x)',
  '[x](ftp://example.org)',
  '[i](j)',
  '[note](below)',
  '[ ](https://example.org)',
  '![x](https://example.org/a.png)',
  '[x](https://)',
])('%s stays plain text', (letters) => {
  expect(linkAfterTyping(letters)).toBeNull()
})

test.each([
  ['paragraph', {}, 'Text'],
  ['heading', { level: 2 }, 'Heading 2'],
  ['heading', { level: 4 }, 'Heading 4'],
  ['heading', { level: 6 }, 'Heading 6'],
])('the style of a %s %j has its name', (name, attributes, expected) => {
  const editor = { isActive: (queried: unknown) => queried === name, getAttributes: () => attributes }
  expect(blockStyleName(blockStyleOf(editor as never))).toBe(expected)
})
