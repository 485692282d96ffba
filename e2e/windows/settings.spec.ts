/** A setting applies at once to all windows of a person, in this browser and on their other devices. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { openOtherDevice } from '../fixtures/own-windows.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'

const expectTheme = (page: Page, theme: 'light' | 'dark') =>
  expect(page.locator('html')).toHaveAttribute('data-theme', theme)

test(
  'theme and transport, in windows here and on another device',
  { tag: '@long' },
  async ({ browser, editorWindow: main, openWindowIn }, info) => {
    const context = main.page.context()
    const panel = await context.newPage()
    await panel.goto(`${main.page.url()}/p/statistics`)
    const device = await openOtherDevice(browser, context)
    const elsewhere = await openWindowIn(device, main.page.url())

    const page = await context.newPage()
    await page.goto(new URL('/settings', main.page.url()).href)
    await page.getByRole('radio', { name: 'Dark' }).check()
    for (const window of [page, panel, main.page, elsewhere.page]) await expectTheme(window, 'dark')
    await expectCleanPage(page, 'settings dark', info)

    // A dialog on the other device changes the theme back.
    await elsewhere.text.focus()
    await elsewhere.page.keyboard.press('ControlOrMeta+,')
    const dialog = elsewhere.page.getByRole('dialog', { name: 'Settings' })
    const light = dialog.getByRole('radio', { name: 'Light' })
    const isCheckedAtOnce = await light.evaluate((radio: HTMLInputElement) => (radio.click(), radio.checked))
    expect(isCheckedAtOnce, 'the choice shows before the page has the theme').toBe(true)
    for (const window of [page, panel, main.page, elsewhere.page]) await expectTheme(window, 'light')
    await dialog.getByRole('combobox', { name: 'Language of my texts' }).selectOption('de')
    await expectCleanPage(elsewhere.page, 'settings dialog', info)
    await elsewhere.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    for (const { text } of [main, elsewhere]) await expect(text).toHaveAttribute('lang', 'de')

    // Each browser has its own choice of transport: the other device keeps its transport.
    await page.getByRole('combobox', { name: 'Transport' }).selectOption('sse')
    await main.expectTransport('sse')
    await elsewhere.expectTransport('websocket')

    await page.setViewportSize({ width: 320, height: 640 })
    await expectCleanPage(page, 'settings 320', info)
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Light' })).toBeChecked()
    await expect(page.getByRole('combobox', { name: 'Transport' })).toHaveValue('sse')
  },
)

test('a page whose code did not load is there once somebody tries again', async ({
  page,
  server,
  scheme,
}) => {
  const address = `${server.origin(scheme)}/settings`
  const html = await (await page.request.get(address)).text()
  await page.route('**/_next/static/**/*.js', (route, request) =>
    html.includes(new URL(request.url()).pathname) ? route.fallback() : route.abort(),
  )
  await page.goto(address)
  const retry = page.getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible()
  await page.unrouteAll()
  await retry.click()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeVisible()
})
