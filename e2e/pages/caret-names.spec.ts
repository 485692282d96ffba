import { expect, test } from '../fixtures/test.ts'

test('the name at another person’s caret disappears after a moment, and returns when one points at the caret', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const reader = await openWindow(document.url('editor'))
  const writer = await openWindow(document.url('editor'))
  await writer.typeAtEnd('Words.')
  const caret = reader.text.locator('.caret')
  const caretName = caret.locator('.caret-name')
  await expect(caretName).toHaveCSS('opacity', '0')
  await expect(async () => {
    const { x, y, height } = (await caret.boundingBox())!
    await reader.page.mouse.move(x, y + height / 3)
    await reader.page.mouse.move(x + 1, y + height / 2)
    await expect(caretName).toHaveCSS('opacity', '1', { timeout: 1_000 })
  }).toPass()
})
