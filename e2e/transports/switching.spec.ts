import { expect, test } from '../support/fixtures.ts'
import { describeTransports, http2Matrix } from '../support/transport-matrix.ts'
import { expectEqual, isPolled } from '../support/window.ts'

describeTransports(({ transport }) => {
  test('[S4] the transport changes in the middle of a word, up and down', async ({
    server,
    scheme,
    door,
    openWindow,
  }) => {
    const other = transport === 'websocket' ? 'sse' : 'websocket'
    const document = await door.newDocument()
    const switching = await openWindow(document.url('editor', 'faulty'))
    const steady = await openWindow(document.url('editor'))
    await switching.append('\n')
    await steady.expectLines('\n')
    await steady.append('So ')
    await switching.expectLines('\nSo ')

    // A switch takes some round trips: slow ones let letters fall into each of its phases.
    server.proxy(scheme).set({ delayMs: 40 })
    await switching.focusStart()
    await steady.focusEnd()
    const said = await switching.recordConnection()
    const switches = async () => {
      for (const word of ['transformation', 'unquestionable', 'Donaudampfschiff', 'interoperability']) {
        const to = word === 'transformation' || word === 'Donaudampfschiff' ? other : transport
        await switching.type(word.slice(0, 7))
        await switching.choose(to, () => switching.type(word.slice(7)))
      }
    }
    const others =
      'meanwhile somebody else goes on typing a line of their own without a pause, and another one'
    await Promise.all([switches(), steady.type(others)])

    await expectEqual(
      [switching, steady],
      `transformationunquestionableDonaudampfschiffinteroperability\nSo ${others}`,
    )
    expect((await said()).filter((sentence) => !sentence.startsWith('Connected by '))).toEqual([])
    if (!isPolled(transport)) expect(switching.wire.momentsWithoutLink).toBe(0)
    await switching.inConnection(async (dialog) => {
      await expect(dialog.getByRole('region', { name: 'In use' })).toContainText('Longest gapnone')
    })
    await expect.poll(() => switching.wire.openLinks).toBe(isPolled(transport) ? 0 : 1)
  })
}, http2Matrix)
