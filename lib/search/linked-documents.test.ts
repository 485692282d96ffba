import * as Y from 'yjs'
import { expect, test } from 'vitest'
import { randomId } from '../protocol/ids.ts'
import { appendBlocks, paragraph } from '../text/fixtures/text-sketches.ts'
import { linkedDocumentsIn } from './linked-documents.ts'
import { previewOf } from './searched-text.ts'

function bodyOf(...blocks: Parameters<typeof appendBlocks>[1]): Y.Doc {
  const doc = new Y.Doc()
  appendBlocks(doc.getXmlFragment('default'), blocks)
  return doc
}

const linkTo = (href: unknown) => ({ text: 'here', marks: { link: { href } } })
const cardTo = (href: unknown) => ({ name: 'linkCard', attributes: { href } })
const mentionOf = (kind: string, id: unknown) => ({ name: 'mention', attributes: { kind, id, label: 'x' } })

test('links, link cards and mentions lead to documents, within whatever block, each once', () => {
  const [a, b, c, d] = [randomId(), randomId(), randomId(), randomId()]
  const cell = { name: 'tableCell', children: [paragraph(linkTo(`https://notes.example/d/${b}?x#find=y`))] }
  const body = bodyOf(
    paragraph('see ', linkTo(`/d/${a}`), linkTo(`/d/${a}#token=z`)),
    { name: 'table', children: [{ name: 'tableRow', children: [cell] }] },
    cardTo(`http://localhost:3000/d/${c}/p/outline`),
    paragraph(mentionOf('document', d)),
  )
  expect(linkedDocumentsIn(body)).toEqual([a, b, c, d])
})

test.each([
  null,
  17,
  {},
  'https://notes.example/d/',
  'https://notes.example/d/not-an-id',
  `https://notes.example/x/d/${randomId()}`,
  `https://notes.example/?/d/${randomId()}`,
  'http://[/d/',
  'javascript:/d/',
])('%j leads to no document', (address) => {
  const body = bodyOf(
    paragraph(linkTo(address)),
    cardTo(address),
    paragraph(mentionOf('person', randomId()), mentionOf('document', address)),
  )
  expect(linkedDocumentsIn(body)).toEqual([])
})

test('a text leads to 500 documents at most', () => {
  const body = bodyOf(...Array.from({ length: 600 }, () => paragraph(mentionOf('document', randomId()))))
  expect(linkedDocumentsIn(body)).toHaveLength(500)
})

test('a preview is the beginning of the text on one line, and ends between characters', () => {
  expect(previewOf(bodyOf())).toBe('')
  expect(previewOf(bodyOf(paragraph(' one\ntwo\0'), paragraph(''), paragraph('three')))).toBe('one two three')
  const long = previewOf(bodyOf(paragraph(`${'x'.repeat(159)}𠮷𠮷`)))
  expect(long).toBe(`${'x'.repeat(159)}…`)
  expect(previewOf(bodyOf(paragraph('y'.repeat(1_000_000))))).toHaveLength(161)
})
