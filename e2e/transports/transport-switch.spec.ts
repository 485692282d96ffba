import { expect, test } from '../fixtures/test.ts'
import { describeTransports, http2Matrix } from '../fixtures/transport-matrix.ts'
import { expectSameLines, usesPolling } from '../fixtures/document-window.ts'

describeTransports(({ transport }) => {
  test('[S4] the transport changes in the middle of a word, up and down', async ({
    server,
    scheme,
    createDocument,
    openWindow,
  }) => {
    const other = transport === 'websocket' ? 'sse' : 'websocket'
    const document = await createDocument()
    const switchingWindow = await openWindow(document.url('editor', 'faulty'))
    const steadyWindow = await openWindow(document.url('editor'))
    await switchingWindow.typeAtEnd('\n')
    await steadyWindow.expectLines('\n')
    await steadyWindow.typeAtEnd('So ')
    await switchingWindow.expectLines('\nSo ')

    // A switch takes some round trips: slow ones let letters fall into each of its phases.
    server.proxy(scheme).setFaults({ delayMs: 40 })
    await switchingWindow.focusStart()
    await steadyWindow.focusEnd()
    const readLabelTexts = await switchingWindow.recordConnectionLabel()
    const switchTransports = async () => {
      for (const word of ['transformation', 'unquestionable', 'Donaudampfschiff', 'interoperability']) {
        const nextTransport = word === 'transformation' || word === 'Donaudampfschiff' ? other : transport
        await switchingWindow.type(word.slice(0, 7))
        await switchingWindow.chooseTransport(nextTransport, () => switchingWindow.type(word.slice(7)))
      }
    }
    const remoteText =
      'meanwhile somebody else goes on typing a line of their own without a pause, and another one'
    await Promise.all([switchTransports(), steadyWindow.type(remoteText)])

    await expectSameLines(
      [switchingWindow, steadyWindow],
      `transformationunquestionableDonaudampfschiffinteroperability\nSo ${remoteText}`,
    )
    expect((await readLabelTexts()).filter((sentence) => !sentence.startsWith('Connected by '))).toEqual([])
    if (!usesPolling(transport)) expect(switchingWindow.networkLog.linkGapCount).toBe(0)
    await switchingWindow.withConnectionDialog(async (dialog) => {
      await expect(dialog.getByRole('region', { name: 'In use' })).toContainText('Longest gapnone')
    })
    await expect.poll(() => switchingWindow.networkLog.openLinks).toBe(usesPolling(transport) ? 0 : 1)
  })
}, http2Matrix)
