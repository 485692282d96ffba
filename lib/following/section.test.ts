import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { heading, paragraph, appendBlocks } from '../text/fixtures/text-sketches.ts'
import { sectionOf } from './section.ts'
import { encodePositionAt, startPositionOf } from './text-position.ts'

/** A heading with this many paragraphs below it. */
function sectionFixture(paragraphs: number) {
  const fragment = new Y.Doc().getXmlFragment('default')
  const below = Array.from({ length: paragraphs }, () => paragraph('some letters'))
  appendBlocks(fragment, [heading(1, 'Above'), ...below])
  const last = fragment.get(paragraphs) as Y.XmlElement
  const text = last.get(0) as Y.XmlText
  const sectionAtLast = () =>
    sectionOf(fragment, { at: encodePositionAt({ type: text, index: text.length }) })?.at
  return { fragment, text, sectionAtLast }
}

test('typing in a section walks to its heading once, however far above it is', () => {
  const { text, sectionAtLast } = sectionFixture(1_000)
  const steps = vi.spyOn(Y.XmlElement.prototype, 'prevSibling', 'get')
  const section = sectionAtLast()
  expect(steps).toHaveBeenCalledTimes(1_000)
  for (let key = 0; key < 10; key++) {
    text.insert(text.length, 'x')
    expect(sectionAtLast()).toBe(section)
  }
  expect(steps).toHaveBeenCalledTimes(1_000)
  steps.mockRestore()
})

test('a heading that is added, removed or written in another window counts from then on', () => {
  const { fragment, sectionAtLast } = sectionFixture(3)
  const section = (index: number) => startPositionOf(fragment.get(index) as Y.XmlElement).at
  expect(sectionAtLast()).toBe(section(0))
  fragment.insert(2, [new Y.XmlElement('heading')])
  expect(sectionAtLast()).toBe(section(2))
  const elsewhere = new Y.Doc()
  Y.applyUpdate(elsewhere, Y.encodeStateAsUpdate(fragment.doc!))
  elsewhere.getXmlFragment('default').delete(2, 1)
  Y.applyUpdate(fragment.doc!, Y.encodeStateAsUpdate(elsewhere))
  expect(sectionAtLast()).toBe(section(0))
  fragment.delete(0, 1)
  expect(sectionAtLast()).toBeUndefined()
})
