import fc from 'fast-check'
import { expect, test } from 'vitest'
import type * as Y from 'yjs'
import { heading, paragraph, textWith } from '../text/fixtures/text-sketches.ts'
import { headingsOf } from '../text/headings.ts'
import { moveSection } from '../text/move-section.ts'
import { treeOf } from '../text/tree.ts'
import { findLinkedPosition, positionHashOf, readPositionHash, readPositionLink } from './position-link.ts'
import { resolvePosition, startPositionOf } from './text-position.ts'

const origin = 'https://diptych.example'

test('a fragment leads back to its position and to the beginning of its heading', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 30 }),
      fc.option(fc.string({ unit: 'binary' })),
      (bytes, heading_) => {
        const position = { at: Buffer.from(bytes).toString('base64') }
        const hash = positionHashOf(position, heading_)
        expect(hash).toMatch(/^#at=[\w-]+(?:&heading=\S+)?$/)
        const link = readPositionHash(hash)!
        expect(link.position).toEqual(position)
        expect(positionHashOf(position, link.heading)).toBe(hash)
      },
    ),
  )
})

test.each(['', '#', '#at=', '#place=abc', '#heading=Costs', `#at=${'A'.repeat(200)}`])(
  '%j leads nowhere',
  (hash) => {
    expect(readPositionHash(hash)).toBeNull()
  },
)

test.each<[string, boolean]>([
  ['/d/one#at=AQ', true],
  [`${origin}/d/one#at=AQ`, true],
  ['/d/one/p/preview#at=AQ', true],
  ['/d/two#at=AQ', false],
  ['/d/one', false],
  ['/d/one?x#at=AQ', false],
  ['https://elsewhere.example/d/one#at=AQ', false],
  ['javascript:/d/one#at=AQ', false],
  ['//[', false],
])('of %j it is %j that it leads to a position of the document', (address, isLink) => {
  expect(readPositionLink(address, 'one', origin) !== null).toBe(isLink)
})

test('a link leads to its block, whatever is written before and in it', () => {
  const text = textWith(paragraph('first'), heading(2, 'Costs'))
  const element = text.get(1) as Y.XmlElement
  const link = readPositionHash(positionHashOf(startPositionOf(element), null))!
  ;(element.get(0) as Y.XmlText).delete(0, 5)
  text.insert(0, [element.clone()])
  expect(resolvePosition(text, findLinkedPosition(text, link)!.at)).toMatchObject({ type: element })
})

test('a link to a section that was moved leads to the heading of the same words; without one it leads nowhere', () => {
  const text = textWith(
    heading(1, 'Costs'),
    heading(1, 'Time'),
    paragraph('a long text that stays where it is'),
  )
  const [costs] = headingsOf(treeOf(text))
  const link = readPositionHash(positionHashOf({ at: costs!.anchor }, costs!.text))!
  moveSection(text, { from: 0, to: 1 }, 3, null)
  const moved = headingsOf(treeOf(text)).find((one) => one.text === 'Costs')!
  expect(moved.anchor).not.toBe(costs!.anchor)
  expect(findLinkedPosition(text, link)).toEqual({ at: moved.anchor })
  text.delete(2, 1)
  expect(findLinkedPosition(text, link)).toBeNull()
})
