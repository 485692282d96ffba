import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { openOtherDevice } from '../fixtures/own-windows.ts'
import { openWindowsMenu } from '../fixtures/panels.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'

const narrowViewport = { width: 320, height: 640 }
const wideViewport = { width: 1_600, height: 900 }

/** Turns the wheel until this heading is right under the header. */
async function scrollTo(page: Page, heading: string): Promise<void> {
  await page.mouse.move(200, 400)
  await expect(async () => {
    const away = await readDistanceToTop(page, heading)
    if (Math.abs(away) > 2) await page.mouse.wheel(0, away)
    expect(Math.abs(await readDistanceToTop(page, heading))).toBeLessThan(12)
  }).toPass()
}

/**
 * Returns the px from the header, which covers the top of the text, to the heading's letters, once what came into sight has been drawn.
 * A heading that is not in the page yet is far away. Letters in a part of the text that is not drawn have no position, so that the
 * position of that part counts.
 */
const readDistanceToTop = (page: Page, heading: string): Promise<number> =>
  page.evaluate(async (text) => {
    for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame)
    const found = [...document.querySelectorAll('main h1, main h2, main h3')].find(
      (element) => element.textContent === text,
    )
    if (!found) return 10_000
    const header = document.querySelector('header')!.getBoundingClientRect().bottom
    if (!found.checkVisibility({ contentVisibilityAuto: true }))
      return Math.round(found.parentElement!.getBoundingClientRect().top - header) + 100
    const range = document.createRange()
    range.selectNodeContents(found)
    return Math.round(range.getBoundingClientRect().top - header - 8)
  }, heading)

async function expectAtTop(page: Page, heading: string): Promise<void> {
  await expect.poll(async () => Math.abs(await readDistanceToTop(page, heading)), heading).toBeLessThan(12)
}

/** Acts on an item of the menu "Windows", and closes the menu again. */
async function withSyncScrollItem(
  { page }: DocumentWindow,
  act: (item: Locator) => Promise<void>,
): Promise<void> {
  const menu = await openWindowsMenu(page)
  await act(menu.getByRole('menuitemcheckbox', { name: 'Sync scroll' }))
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
}

/** Replaces `hover`, which scrolls the page behind a menu that is still opening, and so moves the menu away from the pointer. */
async function movePointerOver(page: Page, item: Locator): Promise<void> {
  await expect(async () => {
    const { x, y, width, height } = (await item.boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    expect(await item.evaluate((element) => element.matches(':hover'))).toBe(true)
  }).toPass()
}

const toggleSyncScroll = (window: DocumentWindow) => withSyncScrollItem(window, (item) => item.click())

const expectSyncScroll = (window: DocumentWindow, checked: boolean) =>
  withSyncScrollItem(window, (item) => expect(item).toBeChecked({ checked }))

test('[W5] windows of 320 and of 1,600 px show the same heading at the top, both ways, until one is taken out @long', async ({
  longDocument,
  openWindow,
  openWindowIn,
}) => {
  const wideWindow = await openWindow(longDocument.url('editor'))
  await wideWindow.page.setViewportSize(wideViewport)
  const narrowWindow = await openWindowIn(wideWindow.page.context(), longDocument.url('editor'))
  await expectSyncScroll(wideWindow, true)
  // A second window on the text does not scroll along, since it was opened to look at another place.
  await expectSyncScroll(narrowWindow, false)
  await toggleSyncScroll(narrowWindow)
  await narrowWindow.page.setViewportSize(narrowViewport)

  await scrollTo(wideWindow.page, 'Section 12')
  await expectAtTop(narrowWindow.page, 'Section 12')
  await scrollTo(narrowWindow.page, 'Section 20')
  await expectAtTop(wideWindow.page, 'Section 20')
  await scrollTo(wideWindow.page, 'Section 5')
  await expectAtTop(narrowWindow.page, 'Section 5')

  await narrowWindow.page.setViewportSize(wideViewport)
  await expectAtTop(narrowWindow.page, 'Section 5')
  await toggleSyncScroll(narrowWindow)
  await scrollTo(wideWindow.page, 'Section 9')
  expect(Math.abs(await readDistanceToTop(narrowWindow.page, 'Section 9'))).toBeGreaterThan(500)
  await toggleSyncScroll(narrowWindow)
  await expectAtTop(narrowWindow.page, 'Section 9')
})

test('[W5] scrolling by the page itself, after Escape or a click in a menu, moves no other window @long', async ({
  longDocument,
  openWindow,
  openWindowIn,
}) => {
  const wideWindow = await openWindow(longDocument.url('editor'))
  await wideWindow.page.setViewportSize(wideViewport)
  const narrowWindow = await openWindowIn(wideWindow.page.context(), longDocument.url('editor'))
  await scrollTo(wideWindow.page, 'Section 12')
  await toggleSyncScroll(narrowWindow)
  await expectAtTop(narrowWindow.page, 'Section 12')
  await narrowWindow.page
    .locator('.text')
    .evaluate((text) => (text as HTMLElement).focus({ preventScroll: true }))
  await narrowWindow.page.keyboard.press('Escape')
  await narrowWindow.page.evaluate(() => scrollBy(0, 700))
  expect(Math.abs(await readDistanceToTop(wideWindow.page, 'Section 12'))).toBeLessThan(12)
  await narrowWindow.page.evaluate(() => scrollBy(0, -700))
  const menu = await openWindowsMenu(narrowWindow.page)
  await movePointerOver(narrowWindow.page, menu.getByText('Sync scroll'))
  await narrowWindow.page.mouse.down()
  await narrowWindow.page.evaluate(() => scrollBy(0, 700))
  expect(Math.abs(await readDistanceToTop(narrowWindow.page, 'Section 12'))).toBeGreaterThan(200)
  expect(Math.abs(await readDistanceToTop(wideWindow.page, 'Section 12'))).toBeLessThan(12)
})

test('[W5] a phone of the same person scrolls along with the desk, and the desk with the phone @long', async ({
  longDocument,
  browser,
  openWindow,
  openWindowIn,
}) => {
  const desk = await openWindow(longDocument.url('editor'))
  await desk.page.setViewportSize(wideViewport)
  // There is no other window to scroll along with.
  await withSyncScrollItem(desk, (item) => expect(item).toHaveCount(0))
  await scrollTo(desk.page, 'Section 7')
  const phoneContext = await openOtherDevice(browser, desk.page.context())
  const phone = await openWindowIn(phoneContext, longDocument.url('editor'))
  await expectSyncScroll(desk, true)
  await expectSyncScroll(phone, false)
  await toggleSyncScroll(phone)
  await expectAtTop(phone.page, 'Section 7')
  await phone.page.setViewportSize(narrowViewport)
  await scrollTo(phone.page, 'Section 22')
  await expectAtTop(desk.page, 'Section 22')
  await scrollTo(desk.page, 'Section 3')
  await expectAtTop(phone.page, 'Section 3')
})

test('another person is followed from their avatar; neither caret nor focus moves, and scrolling ends it', async ({
  longDocument,
  openWindow,
}) => {
  const ada = await openWindow(longDocument.url('editor'))
  const zoe = await openWindow(longDocument.url('editor'))
  await zoe.focusEnd()
  const caret = await zoe.page.evaluate(() => getSelection()!.focusNode!.textContent)
  await zoe.people.nth(1).click()
  await zoe.page.getByRole('menuitem', { name: 'Follow' }).click()
  const banner = zoe.page.getByRole('status', { name: 'Following' })
  await expect(banner).toContainText('Following')
  await zoe.text.focus()
  await scrollTo(ada.page, 'Section 12')
  await expectAtTop(zoe.page, 'Section 12')
  await expect(zoe.text).toBeFocused()
  expect(await zoe.page.evaluate(() => getSelection()!.focusNode!.textContent)).toBe(caret)
  await zoe.page.mouse.wheel(0, 50)
  await expect(banner).toBeEmpty()
  await scrollTo(ada.page, 'Section 3')
  await expectAtTop(ada.page, 'Section 3')
  expect(Math.abs(await readDistanceToTop(zoe.page, 'Section 3'))).toBeGreaterThan(500)
})

test('[W5] Preview and the text scroll along with each other, also side by side, and a click in Outline moves both @long', async ({
  longDocument,
  server,
  scheme,
  openWindow,
  openWindowIn,
}) => {
  const text = await openWindow(longDocument.url('editor'))
  await text.page.setViewportSize(wideViewport)
  await scrollTo(text.page, 'Section 11')
  const openPanel = async (name: string) =>
    (
      await openWindowIn(text.page.context(), `${server.origin(scheme)}/d/${longDocument.id}/p/${name}`, {
        ready: false,
      })
    ).page
  const preview = await openPanel('preview')
  await preview.setViewportSize(narrowViewport)
  await expectAtTop(preview, 'Section 11')
  await scrollTo(preview, 'Section 20')
  await expectAtTop(text.page, 'Section 20')
  await scrollTo(text.page, 'Section 4')
  await expectAtTop(preview, 'Section 4')

  const outline = await openPanel('outline')
  await outline.getByText('Section 17', { exact: true }).click()
  await expectAtTop(text.page, 'Section 17')
  await expectAtTop(preview, 'Section 17')
  await expect(outline.locator('[aria-current]')).toContainText('Section 17')
})

test('typing sends no presence', { tag: '@long' }, async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  const [window, other] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await window.typeAtEnd('a')
  await window.page.evaluate(() => {
    const { awareness } = (globalThis as unknown as { diptych: { awareness: Awareness } }).diptych
    Object.assign(globalThis, { presenceUpdates: 0 })
    awareness.on('update', (_change, origin) => {
      if (origin === 'local') (globalThis as unknown as { presenceUpdates: number }).presenceUpdates += 1
    })
  })
  await window.type('bcdefghijk')
  await expect(window.saveState).toHaveText('Saved')
  expect(
    await window.page.evaluate(() => (globalThis as unknown as { presenceUpdates: number }).presenceUpdates),
  ).toBe(0)
  await other.expectLines('abcdefghijk')
  // The caret is shown after the last letter all the same.
  await expect(other.text.locator('.caret')).toBeVisible()
  expect(
    await other.text.evaluate((text) => text.querySelector('.caret')!.previousSibling!.textContent),
  ).toBe('abcdefghijk')
})

interface Awareness {
  on(event: 'update', listener: (change: unknown, origin: unknown) => void): void
}
