import { Schema } from '@tiptap/pm/model'
import { EditorState, type Transaction } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { textSchemaSpec } from '@/lib/blocks/text-schema.ts'
import { longParagraphsKey, longParagraphsPlugin } from './long-paragraphs.ts'

const textSchema = new Schema(textSchemaSpec)

const paragraph = (letters: number) =>
  textSchema.node(
    'paragraph',
    null,
    letters > 0 ? textSchema.text('abc '.repeat(letters / 4 + 1).slice(0, letters)) : [],
  )

const stateOf = (...blocks: ReturnType<typeof paragraph>[]) =>
  EditorState.create({ doc: textSchema.node('doc', null, blocks), plugins: [longParagraphsPlugin()] })

/** The start and length of each marked paragraph, and whether it decides on its direction by itself. */
const marksIn = (state: EditorState) =>
  longParagraphsKey
    .getState(state)!
    .find()
    .map((mark) => [mark.from, mark.to - mark.from, 'dir' in (mark as unknown as AttributeMark).type.attrs])

interface AttributeMark {
  readonly type: { readonly attrs: object }
}

const apply = (state: EditorState, change: (transaction: Transaction) => Transaction) =>
  state.apply(change(state.tr))

test('long paragraphs are marked, and those in a quote leave their direction to it', () => {
  const quote = textSchema.node('blockquote', null, [paragraph(5_000)])
  expect(marksIn(stateOf(paragraph(100), paragraph(5_000), quote))).toEqual([
    [102, 5_002, true],
    [5_105, 5_002, false],
  ])
})

test('a paragraph is marked when it becomes long, once, and moves with what is written before it', () => {
  let state = stateOf(paragraph(0), paragraph(3_999))
  expect(marksIn(state)).toEqual([])
  state = apply(state, (transaction) => transaction.insertText('yy', 5))
  expect(marksIn(state)).toEqual([[2, 4_003, true]])
  state = apply(state, (transaction) => transaction.insertText('z', 1).insertText('y', 9))
  expect(marksIn(state)).toEqual([[3, 4_004, true]])
  state = apply(state, (transaction) => transaction.split(2_000))
  state = apply(state, (transaction) => transaction.insert(0, paragraph(6_000)))
  expect(marksIn(state)[0]).toEqual([0, 6_002, true])
})

/** Where the marked blocks of a class begin. */
const startsOf = (state: EditorState, className: string) =>
  longParagraphsKey
    .getState(state)!
    .find(undefined, undefined, (spec) => (spec as { className: string }).className === className)
    .map(({ from }) => from)

test('a word that is too long to look for its breaks is marked in any line, also once it has grown together', () => {
  const code = textSchema.node('codeBlock', null, [textSchema.text('x'.repeat(4_000) + 'y')])
  let state = stateOf(paragraph(5_000))
  state = apply(state, (transaction) => transaction.insert(0, code))
  expect(startsOf(state, 'long-word')).toEqual([0])
  expect(startsOf(state, 'long-paragraph')).toEqual([4_003])
  const letters = 'x'.repeat(2_500)
  state = apply(stateOf(paragraph(5_000)), (transaction) =>
    transaction.insertText(`${letters} ${letters}`, 2_001),
  )
  expect(startsOf(state, 'long-word')).toEqual([])
  state = apply(state, (transaction) => transaction.delete(4_501, 4_502))
  expect(startsOf(state, 'long-word')).toEqual([0])
})
