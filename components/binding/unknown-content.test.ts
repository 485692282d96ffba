/** Parts that the page does not know are read at a bounded cost, however large they are. */
import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { describePart, shownTextOf } from './unknown-content.ts'

function partOf(count: number): Y.XmlElement {
  const part = new Y.XmlElement('hologram')
  textWith().insert(0, [part])
  part.push(Array.from({ length: count }, () => new Y.XmlElement('spark')))
  return part
}

/** How many items it asks whether they are deleted. */
function countVisits(read: () => unknown): number {
  const isDeleted = vi.spyOn(Y.Item.prototype, 'deleted', 'get')
  try {
    read()
    return isDeleted.mock.calls.length
  } finally {
    isDeleted.mockRestore()
  }
}

test('a part of twice as many nodes takes no more visits, and is not described', () => {
  const [large, larger] = [partOf(60_000), partOf(120_000)]
  for (const read of [describePart, shownTextOf]) {
    const visits = countVisits(() => read(large))
    expect(visits).toBeGreaterThan(1_000)
    expect(countVisits(() => read(larger))).toBe(visits)
  }
  expect(describePart(larger)).toBeNull()
})

test('letters behind others are shown, and so are those of texts in texts', () => {
  const text = textWith({ name: 'hologram', children: [{ text: 'one' }] })
  const part = text.get(0) as Y.XmlElement
  const inner = new Y.XmlText('three')
  ;(part.get(0) as Y.XmlText).insertEmbed(3, inner)
  ;(part.get(0) as Y.XmlText).insert(4, ' two')
  part.push([new Y.XmlElement('spark'), new Y.XmlText('four')])
  expect(shownTextOf(part)).toBe('one two three four')
})

test('a part that is too long for a copy is told from one that just fits', () => {
  const elementWith = (letters: number): Y.XmlElement =>
    textWith({ name: 'hologram', children: [{ text: 'a'.repeat(letters) }] }).get(0) as Y.XmlElement
  const frame = describePart(elementWith(1))!.length - 1
  expect(describePart(elementWith(65_536 - frame))).toHaveLength(65_536)
  expect(describePart(elementWith(65_537 - frame))).toBeNull()
})
