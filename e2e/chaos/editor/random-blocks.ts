/** Blocks of every kind, as JSON of the schema. */
import type { JSONContent } from '@tiptap/core'
import type { Choices } from './choices.ts'
import type { LetterSource } from './letters.ts'

const MAX_DEPTH = 3

export interface BlockChoices {
  readonly choices: Choices
  readonly letters: LetterSource
}

export const randomBlocks = (count: number, from: BlockChoices, depth = 0): JSONContent[] =>
  Array.from({ length: count }, () => randomBlock(from, depth))

function randomBlock(from: BlockChoices, depth: number): JSONContent {
  const { choices } = from
  const kinds = depth < MAX_DEPTH ? [...flatKinds, ...nestedKinds] : flatKinds
  const kind = choices.pick(kinds)
  switch (kind) {
    case 'horizontalRule':
    case 'tableOfContents':
      return { type: kind }
    case 'paragraph':
      return { type: kind, content: randomLine(from) }
    case 'heading':
      return { type: kind, attrs: { level: 1 + choices.below(3) }, content: randomLine(from) }
    case 'blockMath':
      return { type: kind, attrs: { latex: 'x^2' } }
    case 'codeBlock':
      return { type: kind, attrs: { language: choices.pick([null, 'js']) }, content: plainLine(from) }
    case 'picture':
      return {
        type: kind,
        attrs: { file: choices.pick(fileIds), percent: choices.pick([null, 50]) },
        content: [{ type: 'caption', content: randomLine(from) }],
      }
    case 'fileCard':
      return {
        type: kind,
        attrs: { file: choices.pick(fileIds), bytes: 3 },
        content: [{ type: 'caption', content: randomLine(from) }],
      }
    case 'linkCard':
      return {
        type: kind,
        attrs: { href: choices.pick(['', 'https://example.org/']) },
        content: [{ type: 'caption', content: randomLine(from) }],
      }
    case 'blockquote':
      return { type: kind, content: randomBlocks(1 + choices.below(2), from, depth + 1) }
    case 'callout':
      return {
        type: kind,
        attrs: { kind: choices.pick(['note', 'tip']) },
        content: randomBlocks(1 + choices.below(2), from, depth + 1),
      }
    case 'toggle':
      return {
        type: kind,
        content: [
          { type: 'toggleSummary', content: randomLine(from) },
          ...randomBlocks(1 + choices.below(2), from, depth + 1),
        ],
      }
    case 'bulletList':
    case 'orderedList':
      return { type: kind, content: randomItems('listItem', from, depth) }
    case 'taskList':
      return { type: kind, content: randomItems('taskItem', from, depth) }
    case 'table':
      return { type: kind, attrs: { headerRow: choices.oneIn(2) }, content: randomRows(from, depth) }
  }
}

const flatKinds = [
  'paragraph',
  'paragraph',
  'paragraph',
  'heading',
  'codeBlock',
  'blockMath',
  'picture',
  'fileCard',
  'linkCard',
  'horizontalRule',
  'tableOfContents',
] as const

const fileIds = ['AAAAAAAAAAAAAAAAAAAAAA', 'BBBBBBBBBBBBBBBBBBBBBB']

const nestedKinds = [
  'blockquote',
  'callout',
  'toggle',
  'bulletList',
  'bulletList',
  'orderedList',
  'taskList',
  'taskList',
  'table',
] as const

/** Not all rows have all cells. */
const randomRows = (from: BlockChoices, depth: number): JSONContent[] =>
  Array.from({ length: 1 + from.choices.below(3) }, () => ({
    type: 'tableRow',
    content: Array.from({ length: 1 + from.choices.below(3) }, () => ({
      type: 'tableCell',
      content: from.choices.oneIn(6)
        ? randomBlocks(1, from, depth + 1)
        : [{ type: 'paragraph', content: randomLine(from) }],
    })),
  }))

/** An item begins with a paragraph, and often a second one and a list follow: two deletions may leave the list alone. */
const randomItems = (type: string, from: BlockChoices, depth: number): JSONContent[] =>
  Array.from({ length: 1 + from.choices.below(3) }, () => ({
    type,
    ...(type === 'taskItem' && { attrs: { checked: from.choices.oneIn(2) } }),
    content: [
      { type: 'paragraph', content: randomLine(from) },
      ...(from.choices.oneIn(3) ? [{ type: 'paragraph', content: randomLine(from) }] : []),
      ...(from.choices.oneIn(2) ? randomBlocks(1, from, depth + 1) : []),
    ],
  }))

function plainLine({ choices, letters }: BlockChoices): JSONContent[] {
  const length = choices.below(5)
  return length === 0 ? [] : [{ type: 'text', text: letters.word(length) }]
}

function randomLine({ choices, letters }: BlockChoices): JSONContent[] {
  return Array.from({ length: choices.below(4) }, (): JSONContent => {
    if (choices.oneIn(6)) return choices.pick(inlineNodes)
    return {
      type: 'text',
      text: letters.word(1 + choices.below(4)),
      ...(choices.oneIn(3) && { marks: [choices.pick(someMarks)] }),
    }
  })
}

const inlineNodes: readonly JSONContent[] = [
  { type: 'hardBreak' },
  { type: 'inlineMath', attrs: { latex: 'x^2' } },
  { type: 'mention', attrs: { kind: 'person', id: 'user:ada', label: 'Ada' } },
  { type: 'date', attrs: { day: '2026-11-28' } },
]

const someMarks = [
  { type: 'bold' },
  { type: 'italic' },
  { type: 'underline' },
  { type: 'strike' },
  { type: 'code' },
  { type: 'link', attrs: { href: 'https://example.org/' } },
]
