import { expect, test } from '../support/fixtures.ts'
import { inOrder } from '../support/order.ts'
import { describeTransports, shortMatrix } from '../support/transport-matrix.ts'
import { expectEqual } from '../support/window.ts'
import { joinWithStockClient } from '../support/stock-client.ts'
import { carrierOf } from '../support/wire.ts'

test.use({ transport: 'websocket' })

// The others, and more of each: e2e/scenarios/flows.spec.ts.
describeTransports(({ transport }) => {
  test('typing in one window appears in a second and a third', async ({ door, openWindow }) => {
    const document = await door.newDocument()
    const windows = [
      await openWindow(document.url('editor')),
      await openWindow(document.url('editor')),
      await openWindow(document.url('viewer')),
    ] as const
    await windows[0].append('The first writes, ')
    await windows[1].expectLines('The first writes, ')
    await windows[1].append('the second goes on.')
    await expectEqual(windows, 'The first writes, the second goes on.')
  })

  test('the transport chosen is the one that carries the text', async ({ door, openWindow, scheme }) => {
    const document = await door.newDocument()
    const window = await openWindow(document.url('editor'))
    await window.expectQuiet()
    const framesBefore = window.wire.frames
    await window.append('carried')
    await expect(window.saveState).toHaveText('Saved')
    if (transport === 'websocket') {
      expect(window.wire.frames).toBeGreaterThan(framesBefore)
      await window.expectProtocol(window.wire.last('WebSocket')?.protocol)
    } else {
      const protocol = scheme === 'https' ? 'h2' : 'http/1.1'
      expect(window.wire.frames).toBe(framesBefore)
      const [kind, path] = carrierOf[transport]
      expect(window.wire.last(kind, path)?.protocol).toBe(protocol)
      expect(await window.nextHopProtocols()).toEqual([protocol])
      await window.expectProtocol(protocol)
    }
  })
}, shortMatrix)

test('two writers at one place', async ({ door, openWindow }) => {
  const document = await door.newDocument()
  const first = await openWindow(document.url('editor'))
  const second = await openWindow(document.url('editor'))
  await first.append('[]')
  await second.expectLines('[]')
  for (const window of [first, second]) {
    await window.focusEnd()
    await window.page.keyboard.press('ArrowLeft')
  }
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const digits = '01234567890123456789012345'
  await Promise.all([first.type(letters), second.type(digits)])
  await expect.poll(async () => (await first.lines()).length).toBe(2 + letters.length + digits.length)
  const text = await first.lines()
  expect(text).toMatch(/^\[[a-z0-9]+\]$/)
  expect(inOrder(text, /[a-z]/g)).toBe(letters)
  expect(inOrder(text, /\d/g)).toBe(digits)
  await expectEqual([first, second], text)
})

test('two who begin at once in an empty document, and in a new line', async ({
  server,
  scheme,
  door,
  openWindow,
}) => {
  const document = await door.newDocument()
  const writers = [
    await openWindow(document.url('editor', 'faulty')),
    await openWindow(document.url('editor', 'faulty')),
  ] as const
  // Letters of both are on their way at any moment.
  server.proxy(scheme).set({ delayMs: 60 })
  const [letters, digits] = ['abcdefghij', '0123456789']
  const begin = () => Promise.all([writers[0].append(letters), writers[1].append(digits)])
  await begin()
  await expect.poll(async () => (await writers[0].lines()).length).toBe(20)
  await writers[0].append('\n')
  await expect.poll(() => writers[1].lines()).toMatch(/\n$/)
  await begin()
  await expect.poll(async () => (await writers[0].lines()).length).toBe(41)
  const text = await writers[0].lines()
  expect(inOrder(text, /[a-z]/g)).toBe(letters + letters)
  expect(inOrder(text, /\d/g)).toBe(digits + digits)
  await expectEqual(writers, text)
})

test('a stock y-websocket client takes part', async ({ server, scheme, door, openWindow }) => {
  const document = await door.newDocument()
  const window = await openWindow(document.url('editor'))
  using stock = await joinWithStockClient(server.origin(scheme), document, 'Stock Client')
  await expect(window.page.getByRole('button', { name: /^Stock Client/ })).toBeVisible()
  await window.append('From the page. ')
  await expect.poll(() => stock.text()).toBe('From the page. ')
  await expect.poll(() => stock.people()).toBe(2)
  stock.append('From the stock client.')
  await expectEqual([window], 'From the page. From the stock client.')
})
