import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { appendBlocks, paragraph } from '@/lib/text/fixtures/text-sketches.ts'
import { textSchema } from '../schema-extensions.ts'
import { textFitOf, TextFitWatch } from './text-fit.ts'
import { TextReader } from './text-reader.ts'

/** A text here that somebody else writes in. */
function sharedText(paragraphs = 1) {
  const [local, remote] = [new Y.Doc(), new Y.Doc()]
  appendBlocks(
    remote.getXmlFragment('default'),
    Array.from({ length: paragraphs }, () => paragraph('a')),
  )
  Y.applyUpdate(local, Y.encodeStateAsUpdate(remote))
  remote.on('update', (update: Uint8Array) => Y.applyUpdate(local, update))
  return { text: local.getXmlFragment('default'), remoteText: remote.getXmlFragment('default') }
}

const changes: readonly [string, (text: Y.XmlFragment) => void][] = [
  ['an unknown element', (text) => text.push([new Y.XmlElement('hologram')])],
  ['letters beside blocks', (text) => text.push([new Y.XmlText('loose')])],
  ['an unknown mark', (text) => lineOf(text).format(0, 1, { glow: {} })],
  ['an object among letters', (text) => lineOf(text).insertEmbed(0, { image: 'x' })],
  [
    'an unknown element within a block',
    (text) => (text.get(0) as Y.XmlElement).push([new Y.XmlElement('hologram')]),
  ],
  ['an unknown attribute', (text) => (text.get(0) as Y.XmlElement).setAttribute('glow', '1')],
]

const lineOf = (text: Y.XmlFragment): Y.XmlText => (text.get(0) as Y.XmlElement).get(0) as Y.XmlText

test.each(changes)(
  '%s is noticed before any observer sees it, from another client and from this page',
  (_what, change) => {
    for (const isRemote of [true, false]) {
      const { text, remoteText } = sharedText()
      const calls: string[] = []
      text.observeDeep(() => calls.push('observed'))
      const fit = textFitOf(text.doc!)
      fit.subscribe(() => calls.push(String(fit.get().fits)))
      change(isRemote ? remoteText : text)
      expect(calls).toEqual(['false', 'observed'])
    }
  },
)

test('once nothing unknown is left the text fits again', async () => {
  const { text, remoteText } = sharedText()
  const fit = new TextFitWatch(text, textSchema)
  const before = fit.get()
  remoteText.push([new Y.XmlElement('hologram')])
  remoteText.push([paragraphElement()])
  expect(fit.get().fits).toBe(false)
  remoteText.delete(1, 1)
  await vi.waitFor(() => expect(fit.get().fits).toBe(true))
  expect(fit.get()).not.toBe(before)
})

const paragraphElement = (): Y.XmlElement => {
  const element = new Y.XmlElement('paragraph')
  element.insert(0, [new Y.XmlText('b')])
  return element
}

test('only the block that changed is read, however long the text is', () => {
  const { text, remoteText } = sharedText(1_000)
  const fit = new TextFitWatch(text, textSchema)
  const reads = vi.spyOn(TextReader.prototype, 'readBlock')
  remoteText.push([paragraphElement()])
  lineOf(remoteText).insert(0, 'x')
  expect(reads).toHaveBeenCalledTimes(2)
  expect(fit.get().fits).toBe(true)
  reads.mockRestore()
})
