import { expect, test } from '../fixtures/test.ts'

test('the name at another person’s caret disappears after a moment, and returns when one points at the caret @long', async ({
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

test('the name at another person’s caret is no part of the text that is read', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const reader = await openWindow(document.url('editor'))
  const writer = await openWindow(document.url('editor'))
  await writer.typeAtEnd('Words.')
  for (const key of ['ArrowLeft', 'ArrowLeft']) await writer.page.keyboard.press(key)
  const name = reader.text.locator('.caret-name')
  await expect(name).toHaveAttribute('data-name', /./)
  await expect.poll(async () => (await reader.text.textContent())?.replaceAll('\u2060', '')).toBe('Words.')
  const shownName = (await name.getAttribute('data-name'))!
  await expect.poll(() => reader.text.ariaSnapshot()).toContain('Words.')
  expect(await reader.text.ariaSnapshot()).not.toContain(shownName)
  await expect(reader.text.locator('.caret')).toHaveAttribute('aria-hidden', 'true')
})
