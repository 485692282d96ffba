/** Links to a heading or another block: copied, opened, clicked within the document, and gone back from. */
import type { Locator, Page } from '@playwright/test'
import type * as Y from 'yjs'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { expect, test } from '../fixtures/test.ts'

const headingIn = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** What stands in the clipboard of the page, without a permission for it. */
async function catchCopies(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    const written = Object.assign(window, { copiedText: '' })
    navigator.clipboard.writeText = async (text) => {
      written.copiedText = text
    }
  })
  return () => page.evaluate(() => (window as unknown as { copiedText: string }).copiedText)
}

/** By the handle, which is there once the code for blocks has loaded. */
async function copyLinkOf(page: Page, block: Locator): Promise<void> {
  const handle = page.getByRole('button', { name: 'Block actions' })
  await block.click()
  await expect(async () => {
    await page.mouse.move(0, 0)
    await block.hover({ position: { x: 5, y: 5 } })
    await expect(handle).toBeVisible({ timeout: 500 })
  }).toPass()
  await handle.click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
}

test('a link from a block’s menu and one from the Outline open the document at their places @long', async ({
  longDocument,
  openWindow,
}) => {
  const { page, text } = await openWindow(longDocument.url('editor'))
  const copied = await catchCopies(page)
  await copyLinkOf(page, text.getByText('20.2 '))
  await expect(page.getByText('Link copied.')).toBeVisible()
  await expect(text).toBeFocused()
  const toBlock = await copied()
  await page.goto('about:blank')
  await page.goto(toBlock)
  await expect(text.getByText('20.2 ')).toBeInViewport()
  await expect(text.getByText('19.1 ')).not.toBeInViewport()

  const outline = await openWindow(longDocument.url('viewer'))
  const address = outline.page.url()
  await outline.page.goto(`${address}/p/outline`)
  const copiedThere = await catchCopies(outline.page)
  await outline.page.getByRole('button', { name: 'Actions for Section 12' }).click()
  await expect(outline.page.getByRole('menuitem')).toHaveText(['Copy link'])
  await outline.page.getByRole('menuitem').click()
  const { hash } = new URL(await copiedThere())
  await outline.page.goto(`${address}/p/preview${hash}`)
  await expect(headingIn(outline.page, 'Section 12')).toBeInViewport()
  await expect(headingIn(outline.page, 'Section 1')).not.toBeInViewport()
})

test('a link within the document jumps without a reload, back goes back, and what is gone is said @long', async ({
  server,
  scheme,
  longDocument,
  openWindow,
}) => {
  const writer = await openWriter(server.origin(scheme), longDocument)
  const body = writer.doc.getXmlFragment('default')
  const { page, text } = await openWindow(longDocument.url('editor'))
  const copied = await catchCopies(page)
  await copyLinkOf(page, headingIn(page, 'Section 20'))
  await expect.poll(copied).toContain('&heading=Section+20')
  const line = createTextBlock('paragraph', 'see below')
  body.insert(0, [line])
  ;(line.get(0) as Y.XmlText).format(0, 3, { link: { href: await copied() } })
  await page.evaluate(() => scrollTo(0, 0))

  const link = text.getByRole('link', { name: 'see' })
  await link.click()
  await expect(headingIn(page, 'Section 20')).not.toBeInViewport()
  await page.getByRole('link', { name: 'Go to “Section 20”' }).click()
  await expect(headingIn(page, 'Section 20')).toBeInViewport()
  await expect(page).toHaveURL(/#at=/)
  await page.goBack()
  await expect(link).toBeInViewport()
  await page.goForward()
  await expect(headingIn(page, 'Section 20')).toBeInViewport()
  await page.goBack()
  await link.click({ modifiers: ['ControlOrMeta'] })
  await expect(headingIn(page, 'Section 20')).toBeInViewport()

  const reader = await openWindow(longDocument.url('viewer'))
  await reader.text.getByRole('link', { name: 'see' }).click()
  await expect(headingIn(reader.page, 'Section 20')).toBeInViewport()
  expect(reader.page.context().pages()).toHaveLength(1)
  await reader.page.goBack()
  const heading = body.toArray().findIndex((block) => block.toJSON().includes('>Section 20<'))
  body.delete(heading, 1)
  await expect(headingIn(reader.page, 'Section 20')).toHaveCount(0)
  await reader.text.getByRole('link', { name: 'see' }).click()
  await expect(reader.page.getByText('“Section 20” is no longer in the document.')).toBeVisible()
  await writer.close()
})
