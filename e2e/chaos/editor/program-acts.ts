/** What a program does that knows Yjs and not our schema: newer pages, importers, scripts. */
import * as Y from 'yjs'
import type { Choices } from './choices.ts'
import type { LetterSource } from './letters.ts'

interface ProgramContext {
  readonly text: Y.XmlFragment
  readonly choices: Choices
  readonly letters: LetterSource
}

const programActs = {
  'add paragraph': (context) => insertAnywhere(context, element('paragraph', newText(context))),
  'add unknown block': (context) =>
    insertAnywhere(context, element('hologram', element('paragraph', newText(context)))),
  'add unknown leaf': (context) => insertAnywhere(context, element('spark')),
  'add loose text': (context) => insertAnywhere(context, newText(context)),
  'add misplaced item': (context) =>
    insertAnywhere(context, element('listItem', element('paragraph', newText(context)))),
  'add empty list': (context) => insertAnywhere(context, element('bulletList')),
  'add nested paragraph': (context) =>
    insertAnywhere(context, element('paragraph', element('paragraph', newText(context)))),
  'add plain table': (context) => {
    const cellWith = () => element('tableCell', element('paragraph', newText(context)))
    const rows = [element('tableRow', cellWith(), cellWith()), element('tableRow', cellWith())]
    insertAnywhere(context, element('table', ...rows))
  },
  'set odd column': (context) =>
    onElement(context, (one) => one.setAttribute('col', context.choices.pick(oddValues) as string)),
  'set odd key': (context) =>
    onElement(context, (one) => one.setAttribute('col:odd', context.choices.pick(oddValues) as string)),
  'add fragment': ({ text, letters }) => {
    const fragment = new Y.XmlFragment()
    text.push([fragment as Y.XmlElement])
    fragment.push([new Y.XmlText(letters.word(2))])
  },
  'add plain text': ({ text, letters }) => text.push([new Y.Text(letters.word(2)) as Y.XmlText]),
  'add letters': (context) => onText(context, (one, at) => one.insert(at, context.letters.word(2))),
  'add embed': (context) => onText(context, (one, at) => one.insertEmbed(at, { image: 'x' })),
  'add embedded element': (context) =>
    onText(context, (one, at) => one.insertEmbed(at, element('mention', newText(context)))),
  'set unknown mark': (context) =>
    onText(context, (one, at, length) => one.format(at, length, { glow: true })),
  'set known mark': (context) => onText(context, (one, at, length) => one.format(at, length, { bold: true })),
  'set odd mark': (context) =>
    onText(context, (one, at, length) => one.format(at, length, { link: 'odd', code: 7 })),
  'set unknown attribute': (context) => onElement(context, (one) => one.setAttribute('glow', 'blue')),
  'set odd attribute': (context) =>
    onElement(context, (one) => one.setAttribute('level', context.choices.pick(oddValues) as string)),
  'delete letters': (context) => onText(context, (one, at, length) => one.delete(at, length)),
  'delete element': (context) => onElement(context, deleteElement),
} satisfies Record<string, (context: ProgramContext) => void>

export type ProgramActName = keyof typeof programActs

export const programActNames = Object.keys(programActs) as ProgramActName[]

export function playProgramAct(
  name: ProgramActName,
  doc: Y.Doc,
  choices: Choices,
  letters: LetterSource,
): void {
  doc.transact(() => programActs[name]({ text: doc.getXmlFragment('default'), choices, letters }), 'program')
}

const oddValues: readonly unknown[] = ['2', 99, -1, true, null, { a: 1 }, [1], '']

function element(name: string, ...children: (Y.XmlElement | Y.XmlText)[]): Y.XmlElement {
  const created = new Y.XmlElement(name)
  created.insert(0, children)
  return created
}

const newText = ({ letters, choices }: ProgramContext): Y.XmlText =>
  new Y.XmlText(letters.word(1 + choices.below(3)))

function typesIn(text: Y.XmlFragment): (Y.XmlElement | Y.XmlText)[] {
  return text.toArray().flatMap((child) => {
    if (child instanceof Y.XmlElement) return [child, ...typesIn(child)]
    return child instanceof Y.XmlText ? [child] : []
  })
}

/** In the text itself or in one of its elements, at any place. */
function insertAnywhere({ text, choices }: ProgramContext, type: Y.XmlElement | Y.XmlText): void {
  const elements = typesIn(text).filter((one) => one instanceof Y.XmlElement)
  const parent: Y.XmlFragment = choices.oneIn(2) || elements.length === 0 ? text : choices.pick(elements)
  parent.insert(choices.below(parent.length + 1), [type])
}

/** Up to two letters, never half of a surrogate pair. */
function onText(
  { text, choices }: ProgramContext,
  act: (one: Y.XmlText, at: number, length: number) => void,
): void {
  const texts = typesIn(text).filter((one) => one instanceof Y.XmlText)
  if (texts.length === 0) return
  const one = choices.pick(texts)
  const parts = (one.toDelta() as { readonly insert: unknown }[]).flatMap(({ insert }) =>
    typeof insert === 'string' ? Array.from(insert) : [' '],
  )
  const first = choices.below(parts.length + 1)
  const lengthOf = (some: readonly string[]): number => some.join('').length
  act(one, lengthOf(parts.slice(0, first)), lengthOf(parts.slice(first, first + 2)))
}

function onElement({ text, choices }: ProgramContext, act: (one: Y.XmlElement) => void): void {
  const elements = typesIn(text).filter((one) => one instanceof Y.XmlElement)
  if (elements.length > 0) act(choices.pick(elements))
}

function deleteElement(one: Y.XmlElement): void {
  const parent = one.parent as Y.XmlFragment
  parent.delete(parent.toArray().indexOf(one), 1)
}
