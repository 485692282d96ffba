import { expect, test } from '../fixtures/test.ts'
import { lettersOfAuthor } from '../fixtures/letters-of-author.ts'
import { describeTransports, shortMatrix } from '../fixtures/transport-matrix.ts'
import { expectSameLines } from '../fixtures/document-window.ts'
import { joinWithStockClient } from '../fixtures/stock-client.ts'
import { carrierOf } from '../fixtures/page-network-log.ts'

test.use({ transport: 'websocket' })

// e2e/scenarios/window-pair.spec.ts tests the other transports, and more of each.
test('typing in one window appears in a second and a third', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  const windows = [
    await openWindow(document.url('editor')),
    await openWindow(document.url('editor')),
    await openWindow(document.url('viewer')),
  ] as const
  await windows[0].typeAtEnd('The first writes, ')
  await windows[1].expectLines('The first writes, ')
  await windows[1].typeAtEnd('the second goes on.')
  await expectSameLines(windows, 'The first writes, the second goes on.')
})

describeTransports(({ transport }) => {
  test('the transport chosen is the one that carries the text', async ({ scheme, editorWindow: window }) => {
    await window.waitUntilIdle()
    const framesBefore = window.networkLog.webSocketFrames
    await window.typeAtEnd('carried')
    await expect(window.saveState).toHaveText('Saved')
    if (transport === 'websocket') {
      expect(window.networkLog.webSocketFrames).toBeGreaterThan(framesBefore)
      await window.expectProtocol(window.networkLog.findLastExchange('WebSocket')?.protocol)
    } else {
      const protocol = scheme === 'https' ? 'h2' : 'http/1.1'
      expect(window.networkLog.webSocketFrames).toBe(framesBefore)
      const [kind, path] = carrierOf(transport)
      await expect.poll(() => window.networkLog.findLastExchange(kind, path)?.protocol).toBe(protocol)
      expect(window.networkLog.syncProtocols).toEqual([protocol])
      await window.expectProtocol(protocol)
    }
  })
}, shortMatrix)

test('two writers at one place @long', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  const first = await openWindow(document.url('editor'))
  const second = await openWindow(document.url('editor'))
  await first.typeAtEnd('[]')
  await second.expectLines('[]')
  for (const window of [first, second]) {
    await window.focusEnd()
    await window.page.keyboard.press('ArrowLeft')
  }
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const digits = '01234567890123456789012345'
  await Promise.all([first.type(letters), second.type(digits)])
  await expect.poll(async () => (await first.readLines()).length).toBe(2 + letters.length + digits.length)
  const text = await first.readLines()
  expect(text).toMatch(/^\[[a-z0-9]+\]$/)
  expect(lettersOfAuthor(text, /[a-z]/g)).toBe(letters)
  expect(lettersOfAuthor(text, /\d/g)).toBe(digits)
  await expectSameLines([first, second], text)
})

test('two writers begin at once in an empty document, and in a new line @long', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writers = [
    await openWindow(document.url('editor', 'faulty')),
    await openWindow(document.url('editor', 'faulty')),
  ] as const
  // Letters of both are on their way at any moment.
  server.proxy(scheme).setFaults({ delayMs: 60 })
  const [letters, digits] = ['abcdefghij', '0123456789']
  const typeTogether = () => Promise.all([writers[0].typeAtEnd(letters), writers[1].typeAtEnd(digits)])
  await typeTogether()
  await expect.poll(async () => (await writers[0].readLines()).length).toBe(20)
  await writers[0].typeAtEnd('\n')
  await expect.poll(() => writers[1].readLines()).toMatch(/\n$/)
  await typeTogether()
  await expect.poll(async () => (await writers[0].readLines()).length).toBe(41)
  const text = await writers[0].readLines()
  expect(lettersOfAuthor(text, /[a-z]/g)).toBe(letters + letters)
  expect(lettersOfAuthor(text, /\d/g)).toBe(digits + digits)
  await expectSameLines(writers, text)
})

test('a stock y-websocket client takes part', async ({ server, scheme, createDocument, openWindow }) => {
  const document = await createDocument()
  const window = await openWindow(document.url('editor'))
  using stockWindow = await joinWithStockClient(server.origin(scheme), document, 'Stock Client')
  await expect(window.page.getByRole('button', { name: /^Stock Client/ })).toBeVisible()
  await window.typeAtEnd('From the page. ')
  await expect.poll(() => stockWindow.readText()).toBe('From the page. ')
  await expect.poll(() => stockWindow.countPeople()).toBe(2)
  stockWindow.appendText('From the stock client.')
  await expectSameLines([window], 'From the page. From the stock client.')
})
