import { expect, test } from '../fixtures/test.ts'
import {
  openOtherDevice,
  readListedWindows,
  openPanelWindow,
  openWindowsDialog,
  waitForPopup,
} from '../fixtures/own-windows.ts'
import { expectSaved } from '../fixtures/save-state.ts'

test('[W3] windows know each other in one browser and across devices, and close each other @long', async ({
  browser,
  editorWindow: { page },
}) => {
  await page.getByRole('textbox', { name: 'Title' }).fill('Budget plan')
  const outline = await openPanelWindow(page, 'Outline')
  const dialog = await openWindowsDialog(page)
  await expect.poll(() => readListedWindows(page)).toEqual(['Budget plan', 'Outline – Budget plan'])

  const tablet = await openOtherDevice(browser, page.context())
  const preview = await tablet.newPage()
  await preview.goto(`${page.url()}/p/preview`)
  await expectSaved(preview)
  await expect
    .poll(() => readListedWindows(page))
    .toEqual(['Budget plan', 'Outline – Budget plan', 'Preview – Budget plan'])
  await openWindowsDialog(preview)
  await expect
    .poll(() => readListedWindows(preview))
    .toEqual(['Preview – Budget plan', 'Outline – Budget plan', 'Budget plan'])

  const closed = outline.waitForEvent('close')
  await dialog.getByRole('button', { name: 'Close Outline – Budget plan' }).click()
  await closed
  await expect.poll(() => readListedWindows(page)).toEqual(['Budget plan', 'Preview – Budget plan'])
  await expect.poll(() => readListedWindows(preview)).toEqual(['Preview – Budget plan', 'Budget plan'])

  // The page's history has one entry, so that this browser lets it close itself, too.
  const closedEvent = preview.waitForEvent('close')
  await dialog.getByRole('button', { name: 'Close Preview – Budget plan' }).click()
  await Promise.race([
    closedEvent,
    expect(preview.getByRole('heading', { level: 1, name: 'This window was closed' })).toBeVisible(),
  ])
  await expect.poll(() => readListedWindows(page)).toEqual(['Budget plan'])
  await tablet.close()
})

test('[W1] Show opens a panel anew in its place, and the former one closes itself once the new one is live @long', async ({
  editorWindow: { page },
}) => {
  const first = await openPanelWindow(page, 'Outline')
  await first.reload()
  await expectSaved(first)
  const dialog = await openWindowsDialog(page)
  const closed = first.waitForEvent('close')
  const second = await waitForPopup(page, () => dialog.getByRole('button', { name: /^Show Outline/ }).click())
  await closed
  expect(new URL(second.url()).hash).toBe('')
  await expect.poll(() => readListedWindows(page)).toHaveLength(2)
})

test('[W1] a panel opened from a panel is a process of its own, and shows others @long', async ({
  editorWindow: { page },
}) => {
  const outline = await openPanelWindow(page, 'Outline')
  const preview = await openPanelWindow(outline, 'Preview')
  expect(await preview.evaluate(() => opener)).toBeNull()
  const dialog = await openWindowsDialog(preview)
  const closed = outline.waitForEvent('close')
  await waitForPopup(preview, () => dialog.getByRole('button', { name: /^Show Outline/ }).click())
  await closed
  await expect.poll(() => readListedWindows(preview)).toHaveLength(3)
})

test(
  'a tab that a person opened says that its panel is in another window now, and stops following',
  { tag: '@long' },
  async ({ editorWindow: { page } }) => {
    const tab = await page.context().newPage()
    await tab.goto(`${page.url()}/p/outline`)
    await expectSaved(tab)
    const dialog = await openWindowsDialog(page)
    await waitForPopup(page, () => dialog.getByRole('button', { name: /^Show Outline/ }).click())
    await expect(tab.getByRole('heading', { level: 1, name: 'This is now in another window' })).toBeVisible()
    await expect.poll(() => readListedWindows(page)).toHaveLength(2)
    await tab.getByRole('button', { name: 'Open it here again' }).click()
    await expectSaved(tab)
    await expect.poll(() => readListedWindows(page)).toHaveLength(3)
  },
)

test(
  'a window that the browser blocks is reported, and can be opened by a link or on a phone',
  { tag: '@long' },
  async ({ editorWindow: { page } }) => {
    // Chromium's popup blocker lets through what a click opens. So the page is sandboxed, and may not open windows at all.
    await page.route(page.url(), async (route) => {
      const response = await route.fetch()
      const policy = `${response.headers()['content-security-policy']}; sandbox allow-scripts allow-same-origin allow-forms`
      await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } })
    })
    await page.reload()
    await expectSaved(page)
    const windows = await openWindowsDialog(page)
    await windows.getByRole('button', { name: 'Outline' }).click()
    const blocked = page.getByRole('dialog', { name: 'Outline did not open' })
    const link = blocked.getByRole('link', { name: 'Open Outline in a tab' })
    await expect(link).toHaveAttribute(
      'href',
      new RegExp(`^${new URL(page.url()).pathname}/p/outline#place=`),
    )
    await expect(blocked.getByRole('textbox', { name: 'Address of Outline' })).toHaveValue(
      `${page.url()}/p/outline`,
    )
    await expect(blocked.getByRole('img', { name: 'QR code of the address of Outline' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(blocked).toBeHidden()
  },
)
