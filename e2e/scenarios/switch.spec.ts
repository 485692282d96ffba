/** The flow of the benchmark `switch`, in a browser: a window goes through all transports in mid-word, and nobody notices. */
import { expect, test } from '../fixtures/test.ts'
import { networkTransports } from '../../lib/transports/descriptors.ts'
import { expectSameLines } from '../fixtures/document-window.ts'

test.use({ transport: 'websocket' })

const words = ['transformation', 'unquestionable', 'Donaudampfschiff', 'interoperability', 'straightforward']

test('[S4] a window that types goes through every transport and back: nothing is lost, doubled or out of order', async ({
  createDocument,
  openWindow,
}, info) => {
  const url = (await createDocument()).url('editor')
  const [writer, reader] = [await openWindow(url), await openWindow(url)]
  await writer.focusEnd()
  const shownTexts = await reader.page.evaluateHandle(recordTexts)
  for (const [index, word] of words.entries()) {
    await writer.type(word.slice(0, 7))
    const nextTransport = networkTransports[(index + 1) % networkTransports.length]!
    await Promise.all([
      writer.page.evaluate((transport) => window.diptych!.switchTransport(transport), nextTransport),
      writer.type(word.slice(7)),
    ])
    await writer.expectTransport(nextTransport)
  }
  const expectedText = words.join('')
  await expectSameLines([writer, reader], expectedText)
  // Each text that the reader ever showed continues the one before.
  for (const text of await shownTexts.jsonValue()) expect(expectedText.startsWith(text), text).toBe(true)
  const stats = await writer.page.evaluate(() => window.diptych!.stats())
  expect(stats.switches).toBe(words.length)
  await info.attach('stats', { body: JSON.stringify(stats), contentType: 'application/json' })
})

function recordTexts(): string[] {
  const { doc } = window.diptych!
  const texts: string[] = []
  doc.on('update', () =>
    texts.push(
      doc
        .getXmlFragment('default')
        .toJSON()
        .replaceAll(/<[^>]*>/g, ''),
    ),
  )
  return texts
}
