import { expect, test } from '../fixtures/test.ts'

test('the name on another’s caret goes after a moment, and is there for who points at the caret', async ({
  door,
  openWindow,
}) => {
  const document = await door.createDocument()
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
