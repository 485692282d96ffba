/** The header above a text shows what a writer needs, and nothing that this person may not do. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

const headerOf = (page: Page) => page.getByRole('banner')

test('the title is in the header once it has scrolled away, and only then', async ({
  longDocument,
  openWindow,
}) => {
  const { page } = await openWindow(longDocument.url('editor'))
  await page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
  const title = headerOf(page).getByText('Budget plan')
  await expect(title).toBeHidden()
  await page.mouse.move(200, 400)
  await page.mouse.wheel(0, 2_000)
  await expect(title).toBeVisible()
  await page.mouse.wheel(0, -2_000)
  await expect(title).toBeHidden()
})

test('the header says whether there is a connection, and names the transport only in its description', async ({
  editorWindow: { connection },
}) => {
  await expect(connection).toContainText('Connected')
  await expect(connection).toHaveAccessibleDescription(/^Connected by /)
})

test('a viewer is told that they can only view, and only the owner is offered to share', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const editor = await openWindow(document.url('editor'))
  const reader = await openWindow(document.url('viewer'))
  await expect(headerOf(reader.page).getByText('View only')).toBeVisible()
  await expect(headerOf(editor.page).getByText('View only')).toHaveCount(0)
  for (const { page } of [editor, reader])
    await expect(page.getByRole('button', { name: 'Share' })).toHaveCount(0)
})

test('a phone shows who is here, and its header fits @long', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  await openWindow(document.url('editor'))
  for (const role of ['editor', 'viewer'] as const) {
    const { page, people } = await openWindow(document.url(role))
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      await expect(people.filter({ visible: true }).first()).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('button', { name: 'Connection', exact: true })).toBeInViewport({ ratio: 1 })
      expect(
        await page.evaluate(() => globalThis.document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
    }
  }
})

test('on a phone an arrow says that the toolbar goes on, until its end is reached @long', async ({
  editorWindow: { page },
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const toolbar = page.getByRole('toolbar')
  const readArrow = () => toolbar.evaluate((element) => getComputedStyle(element, '::after').visibility)
  await expect.poll(readArrow).toBe('visible')
  await toolbar.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
  await expect.poll(readArrow).toBe('hidden')
  await page.setViewportSize({ width: 1440, height: 900 })
  const readContent = () => toolbar.evaluate((element) => getComputedStyle(element, '::after').content)
  await expect.poll(readContent).toBe('none')
})
