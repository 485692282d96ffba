/** Dates in the text: chosen by name, shown in the reader's language, changed in place. */
import { dayFromToday, shownDay } from '../../lib/blocks/date/date.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expect, test } from '../fixtures/test.ts'

test.use({ locale: 'de-DE' })

test('a day is chosen by its name, shown in the reader’s language and changed by keyboard, each in one step', async ({
  editorWindow: { page, text },
}, info) => {
  await text.click()
  await page.keyboard.type('due @tom')
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options).toHaveText([/^Tomorrow/])
  await page.keyboard.press('Enter')
  await page.keyboard.type('or later')
  const date = text.locator('time')
  await expect(date).toHaveText(shownDay(dayFromToday(1), 'de-DE'))
  await expect(text.locator('p')).toContainText(/or later$/)
  await date.click()
  const field = text.getByLabel('Date', { exact: true })
  await expect(field).toBeFocused()
  await field.fill('2026-12-24')
  await forLightAndDark(page, (scheme) => expectCleanPage(page, `date ${scheme}`, info))
  const { width, height } = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(field).toBeInViewport({ ratio: 1 })
  await expectCleanPage(page, 'date 390', info)
  await page.setViewportSize({ width, height })
  await field.press('Enter')
  await expect(date).toHaveText('24.12.2026')
  await expect(text).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('2026-12-24')
  await field.fill('2026-12-31')
  await field.press('Escape')
  await expect(date).toHaveText('24.12.2026')
  await dockPanels(page, 'Preview')
  await expect(panelOf(page, 'Preview').locator('time')).toHaveText('24.12.2026')
  await text.focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(date).toHaveText(shownDay(dayFromToday(1), 'de-DE'))
})

test('a date is made from the menu of blocks, and what another person makes of it is drawn @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, other, viewer] = [
    await openWindow(document.url('editor')),
    await openWindow(document.url('editor')),
    await openWindow(document.url('viewer')),
  ]
  await one.text.click()
  await one.page.keyboard.type('/date')
  await expect(one.page.getByRole('option').first()).toBeVisible()
  await one.page.keyboard.press('Enter')
  await expect(viewer.text.locator('time')).toHaveText(shownDay(dayFromToday(0), 'de-DE'))
  await viewer.text.locator('time').click()
  await one.text.locator('time').click()
  await expect(one.text.getByLabel('Date', { exact: true })).toBeFocused()
  await expect(viewer.text.locator('input')).toHaveCount(0)
  await other.text.locator('time').click()
  await other.text.getByLabel('Date', { exact: true }).fill('2030-01-02')
  await other.page.keyboard.press('Enter')
  await expect(viewer.text.locator('time')).toHaveText('02.01.2030')
  await expect(one.text.getByLabel('Date', { exact: true })).toHaveValue(dayFromToday(0))
  await one.page.keyboard.press('Escape')
  await expect(one.text.locator('time')).toHaveText('02.01.2030')
  await one.page.keyboard.type(' at noon')
  await expect(viewer.text.locator('p')).toContainText(' at noon')
})
