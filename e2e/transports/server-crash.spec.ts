import { expect, test } from '../fixtures/test.ts'
import { describeTransports, http2Matrix } from '../fixtures/transport-matrix.ts'
import { expectSameLines } from '../fixtures/document-window.ts'
import { RECONNECT_WAIT } from '../fixtures/save-state.ts'

test.use({ transport: 'websocket' })

describeTransports(() => {
  test('[D2] the server dies in the middle of a sentence and comes back', async ({
    server,
    createDocument,
    openWindow,
  }) => {
    const document = await createDocument()
    const writer = await openWindow(document.url('editor'))
    const reader = await openWindow(document.url('editor'))
    await writer.typeAtEnd('Saved before. ')
    await expectSameLines([writer, reader], 'Saved before. ')
    await writer.type('Written ')
    await Promise.all([writer.type('while the server '), server.kill()])
    await expect(writer.saveState).not.toHaveText('Saved')
    await writer.type('was dead.')
    await server.start()
    await expectSameLines(
      [writer, reader],
      'Saved before. Written while the server was dead.',
      RECONNECT_WAIT,
    )
  })
}, http2Matrix)

test('[D6] whoever types on while the server is away reads that it is on this device @long', async ({
  server,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWindow(document.url('editor'))
  await writer.typeAtEnd('Before. ')
  await expect(writer.saveState).toHaveText('Saved')
  await server.kill()
  let letters = 0
  // Keys follow each other sooner than the 400 ms after which a better state would have been shown anyway.
  while ((await writer.saveState.textContent()) !== 'Saved on this device') {
    expect(++letters, 'letters typed without a pause').toBeLessThan(500)
    await writer.type('x')
  }
  await server.start()
  await expectSameLines([writer], `Before. ${'x'.repeat(letters)}`, RECONNECT_WAIT)
})

test('[D1] every letter that was shown as Saved is there after kill -9 @long', async ({
  server,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWindow(document.url('editor'))
  await writer.typeAtEnd('Every letter of this')
  await expect(writer.saveState).toHaveText('Saved')
  await server.kill()
  await writer.close()
  await server.start()
  const laterWindow = await openWindow(document.url('viewer'))
  await laterWindow.expectLines('Every letter of this')
})
