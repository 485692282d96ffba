/** Texts that no page writes, each with the letter that a reader must see. */
import * as Y from 'yjs'

const LEVELS = 10_000
const MILLION = 1_000_000

export const letter = '一'

/** Writes into an empty text. */
type Build = (text: Y.XmlFragment) => void

export const nested =
  (...names: readonly string[]): Build =>
  (text) => {
    let parent: Y.XmlFragment = text
    for (let level = 0; level < LEVELS; level++) {
      const element = new Y.XmlElement(names[level % names.length])
      parent.insert(0, [element])
      parent = element
    }
    parent.insert(0, [new Y.XmlText(letter)])
  }

const nestedTexts: Build = (text) => {
  let parent = new Y.XmlText()
  text.insert(0, [parent])
  for (let level = 0; level < LEVELS / 10; level++) {
    const inner = new Y.XmlText()
    parent.insertEmbed(0, inner)
    parent = inner
  }
  parent.insert(0, letter)
}

const withAttribute =
  (name: string, attribute: string, value: unknown): Build =>
  (text) => {
    const element = new Y.XmlElement(name)
    text.insert(0, [element])
    element.setAttribute(attribute, value as string)
    element.insert(0, [new Y.XmlText(letter)])
  }

const withMark =
  (name: string, value: unknown): Build =>
  (text) => {
    const element = new Y.XmlElement('paragraph')
    text.insert(0, [element])
    const line = new Y.XmlText()
    element.insert(0, [line])
    line.insert(0, letter, { [name]: value as object })
  }

const many =
  (name: string): Build =>
  (text) => {
    text.insert(
      0,
      Array.from({ length: LEVELS }, () => new Y.XmlElement(name)),
    )
    text.insert(0, [new Y.XmlText(letter)])
  }

const manyMarks: Build = (text) => {
  const marks = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`glow${index}`, true]))
  const element = new Y.XmlElement('paragraph')
  text.insert(0, [element])
  const line = new Y.XmlText()
  element.insert(0, [line])
  line.insert(0, letter, marks)
}

const manyAttributes: Build = (text) => {
  const element = new Y.XmlElement('paragraph')
  text.insert(0, [element])
  for (let index = 0; index < LEVELS; index++) element.setAttribute(`glow${index}`, 'x'.repeat(100))
  element.insert(0, [new Y.XmlText(letter)])
}

/** JSON within JSON. */
function nestedValue(levels: number): object {
  let value: object = {}
  for (let level = 0; level < levels; level++) value = { value }
  return value
}

const longValue = 'x'.repeat(MILLION)
const oddValues: readonly unknown[] = [null, true, -1, 1e308, NaN, '7', '', [], { a: 1 }, new Uint8Array(8)]
const knownAttributes = [
  ['heading', 'level'],
  ['codeBlock', 'language'],
  ['orderedList', 'start'],
  ['taskItem', 'checked'],
  ['paragraph', 'glow'],
] as const

export const badTexts: readonly (readonly [what: string, build: Build])[] = [
  ['10,000 quotes in each other', nested('blockquote')],
  ['10,000 lists and items in each other', nested('bulletList', 'listItem')],
  ['10,000 paragraphs in each other', nested('paragraph')],
  ['10,000 unknown blocks in each other', nested('hologram')],
  ['10,000 known and unknown blocks in turn', nested('blockquote', 'hologram')],
  ['texts in each other', nestedTexts],
  ['10,000 lists without items', many('bulletList')],
  ['10,000 unknown blocks', many('hologram')],
  ['a thousand unknown marks on a letter', manyMarks],
  ['10,000 unknown attributes', manyAttributes],
  ['an unknown mark of a million letters', withMark('glow', longValue)],
  ['a link of a million letters', withMark('link', { href: longValue })],
  ['a link that is no address', withMark('link', { href: { a: [longValue] } })],
  ['a value of 1,000 levels', withAttribute('paragraph', 'glow', nestedValue(1_000))],
  ...knownAttributes.map(
    ([name, attribute]) =>
      [
        `${name} with a ${attribute} of a million letters`,
        withAttribute(name, attribute, longValue),
      ] as const,
  ),
  ...knownAttributes.flatMap(([name, attribute]) =>
    oddValues.map(
      (value) =>
        [
          `${name} with ${attribute} ${value?.constructor.name} ${String(value)}`,
          withAttribute(name, attribute, value),
        ] as const,
    ),
  ),
  ...['constructor', '__proto__', 'toString', 'doc', 'text', '', 'unknownBlock'].map(
    (name) => [`an element "${name}"`, nestedOnce(name)] as const,
  ),
]

function nestedOnce(name: string): Build {
  return (text) => {
    const element = new Y.XmlElement(name)
    text.insert(0, [element])
    element.insert(0, [new Y.XmlText(letter)])
  }
}
