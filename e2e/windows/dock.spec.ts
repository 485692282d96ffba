/** Panels beside the text are arranged by mouse and by keyboard, and the arrangement is remembered. */
import type { Page } from '@playwright/test'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'
import { detachedChipOf, detachPanel, dockPanels, openWindowsMenu, panelOf } from '../fixtures/panels.ts'
import { detachFromMenu, openOtherDevice } from '../fixtures/own-windows.ts'

const columnOf = (page: Page, side: 'left' | 'right') =>
  page.getByRole('complementary', { name: `Panels on the ${side}` })

const readPanelNames = (page: Page, side: 'left' | 'right') =>
  columnOf(page, side).getByRole('heading', { level: 2 }).allInnerTexts()

const widthHandle = (page: Page, side: string) =>
  page.getByRole('separator', { name: `Width of the panels on the ${side}` })

test('panels are docked, moved, resized and collapsed by keyboard, and stay so after a reload and on another device', async ({
  browser,
  editorWindow: { page },
}) => {
  await dockPanels(page, 'Outline', 'People', 'Connection inspector')
  expect(await readPanelNames(page, 'left')).toEqual(['Outline'])
  expect(await readPanelNames(page, 'right')).toEqual(['People', 'Connection inspector'])

  await page.getByRole('button', { name: 'Move People' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Move down' }).press('Enter')
  await expect.poll(() => readPanelNames(page, 'right')).toEqual(['Connection inspector', 'People'])
  await page.getByRole('button', { name: 'Move Outline' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Move to the right' }).press('Enter')
  await expect
    .poll(() => readPanelNames(page, 'right'))
    .toEqual(['Outline', 'Connection inspector', 'People'])

  for (let presses = 0; presses < 3; presses++) await widthHandle(page, 'right').press('ArrowLeft')
  await expect(widthHandle(page, 'right')).toHaveAttribute('aria-valuenow', '368')
  const height = page.getByRole('separator', { name: 'Height of People' })
  const before = Number(await height.getAttribute('aria-valuenow'))
  await height.press('ArrowUp')
  await expect.poll(async () => Number(await height.getAttribute('aria-valuenow'))).toBeLessThan(before)

  const heading = panelOf(page, 'Outline').getByRole('button', { name: 'Outline', exact: true })
  await heading.press('Enter')
  await expect(heading).toHaveAttribute('aria-expanded', 'false')
  await panelOf(page, 'People').getByRole('button', { name: 'Close' }).press('Enter')
  await expect(panelOf(page, 'People')).toBeHidden()

  const expectSameLayout = async (shownPage: Page) => {
    await expect.poll(() => readPanelNames(shownPage, 'right')).toEqual(['Outline', 'Connection inspector'])
    await expect(widthHandle(shownPage, 'right')).toHaveAttribute('aria-valuenow', '368')
    await expect(
      panelOf(shownPage, 'Outline').getByRole('button', { name: 'Outline', exact: true }),
    ).toHaveAttribute('aria-expanded', 'false')
  }
  await page.reload()
  await expectSameLayout(page)

  const device = await openOtherDevice(browser, page.context())
  const otherDevicePage = await device.newPage()
  await otherDevicePage.goto(page.url())
  await expectSameLayout(otherDevicePage)
  // A change there is shown here at once.
  await panelOf(otherDevicePage, 'Outline').getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => readPanelNames(page, 'right')).toEqual(['Connection inspector'])
  await device.close()
})

test('panels are moved by mouse: a heading is dragged to another place, and across to the empty side @long', async ({
  editorWindow: { page },
}) => {
  await dockPanels(page, 'People', 'Connection inspector')
  const headingOf = (name: string) => panelOf(page, name).locator('[draggable=true]')
  await headingOf('Connection inspector').dragTo(headingOf('People'), { targetPosition: { x: 40, y: 4 } })
  await expect.poll(() => readPanelNames(page, 'right')).toEqual(['Connection inspector', 'People'])

  const from = (await headingOf('People').boundingBox())!
  await page.mouse.move(from.x + 60, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(400, 400, { steps: 5 })
  await page.mouse.move(20, 400, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => readPanelNames(page, 'left')).toEqual(['People'])

  const handle = (await widthHandle(page, 'left').boundingBox())!
  await page.mouse.move(handle.x + 4, 500)
  await page.mouse.down()
  await page.mouse.move(handle.x + 64, 500, { steps: 5 })
  await page.mouse.up()
  await expect(widthHandle(page, 'left')).toHaveAttribute('aria-valuenow', /^3[78]\d$/)
})

test('a click on the text closes the open menu of windows, and reaches the text @long', async ({
  editorWindow: main,
}) => {
  await main.typeAtEnd('Text')
  const menu = await openWindowsMenu(main.page)
  await menu.getByRole('menuitemcheckbox', { name: 'Outline' }).click()
  await expect(panelOf(main.page, 'Outline')).toBeVisible()
  await expect(menu).toBeVisible()
  // The click is beside the menu, and after the letters.
  await main.text.locator('p').click({ position: { x: 60, y: 10 } })
  await expect(menu).toBeHidden()
  await main.type(' goes on')
  await main.expectLines('Text goes on')
})

test(
  'a layout of another version is shown as the default, and the next change replaces it',
  { tag: '@long' },
  async ({ editorWindow: { page } }) => {
    await page.evaluate(() => {
      const layouts = window.diptych!.desk!.doc.getMap('layouts')
      layouts.set(location.pathname.split('/')[2]!, { version: 7, columns: [['outline']] })
    })
    await page.reload()
    await expectSaved(page)
    await expect(page.getByRole('complementary')).toHaveCount(0)
    await dockPanels(page, 'Outline')
    await page.reload()
    await expect(panelOf(page, 'Outline')).toBeVisible()
  },
)

test('a panel that was opened directly in a window of its own is gone with it, and not docked @long', async ({
  editorWindow: { page },
}) => {
  await dockPanels(page, 'Outline')
  const people = await detachFromMenu(page, 'People')
  await expect(detachedChipOf(page, 'People')).toBeVisible()
  await people.close()
  await expect(detachedChipOf(page, 'People')).toBeHidden()
  await expect(panelOf(page, 'People')).toBeHidden()
  await expect(panelOf(page, 'Outline')).toBeVisible()
})

test('a panel that is detached and shown, then brought back or closed, docks where it was @long', async ({
  editorWindow: { page },
}) => {
  await dockPanels(page, 'Outline', 'People', 'Statistics')
  await expect(panelOf(page, 'Statistics')).toBeVisible()
  const popup = await detachPanel(page, 'People')
  await expect(popup).toHaveTitle('People – Untitled')
  await expect(detachedChipOf(page, 'People')).toHaveText(/People is in another window/)

  // Show opens the panel again in its place, and the former window closes itself.
  const closedEvent = popup.waitForEvent('close')
  const opening = page.context().waitForEvent('page')
  await detachedChipOf(page, 'People').getByRole('button', { name: 'Show' }).click()
  const shownPage = await opening
  await expect(panelOf(shownPage, 'People')).toBeVisible()
  await closedEvent
  await expect(detachedChipOf(page, 'People')).toBeVisible()

  const closed = shownPage.waitForEvent('close')
  await detachedChipOf(page, 'People').getByRole('button', { name: 'Bring back' }).click()
  await closed
  expect(await readPanelNames(page, 'right')).toEqual(['People', 'Statistics'])
  await expect(panelOf(page, 'People')).toBeFocused()

  const detachedAgain = await detachPanel(page, 'People')
  await detachedAgain.close()
  await expect.poll(() => readPanelNames(page, 'right')).toEqual(['People', 'Statistics'])
})

test(
  'on a phone one panel at a time lies over the text, and the text is still there',
  { tag: '@long' },
  async ({ editorWindow: { page, text } }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await dockPanels(page, 'Outline')
    await expect(panelOf(page, 'Outline')).toBeInViewport()
    await panelOf(page, 'Outline').getByRole('button', { name: 'Close' }).click()
    await expect(panelOf(page, 'Outline')).toBeHidden()
    await expect(text).toBeVisible()
  },
)

test('panels that did not load are there once somebody tries again, without a reload', async ({
  editorWindow: { page, text },
}) => {
  const menu = await openWindowsMenu(page)
  await page.route('**/_next/static/**', (route) => route.abort())
  await menu.getByRole('menuitemcheckbox', { name: 'Outline', exact: true }).click()
  await page.keyboard.press('Escape')
  const column = columnOf(page, 'left')
  await expect(column.getByRole('alert')).toContainText('The text is not affected.')
  await page.unroute('**/_next/static/**')
  await text.click()
  await page.keyboard.type('written meanwhile')
  await column.getByRole('button', { name: 'Try again' }).click()
  await expect(panelOf(page, 'Outline')).toBeVisible()
  await expect(text).toHaveText('written meanwhile')
})
