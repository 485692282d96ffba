import { expectStoredOnDevice } from '../fixtures/device-storage.ts'
import { expectSaved, saveStateIn } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'

test.use({ serviceWorkers: 'allow' })

test('pages open offline: the list, a document from it, and what needs the network says so', async ({
  browser,
  server,
  scheme,
}, info) => {
  test.slow()
  const origin = server.origin(scheme)
  const context = await browser.newContext()
  const page = await context.newPage()
  const pageErrors: string[] = []
  page.on('pageerror', (error) => pageErrors.push(String(error)))
  await page.goto(origin)
  await page.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
  await expectSaved(page)
  const id = new URL(page.url()).pathname.split('/')[2]!
  await expectStoredOnDevice(page, id)
  const shown = page.getByRole('textbox', { name: 'Document' })
  const [title, text, firstLine] = await Promise.all([
    page.getByRole('textbox', { name: 'Title' }).inputValue(),
    // Also what the browser passes over because it is off the screen.
    shown.evaluate(({ textContent }) => textContent),
    shown.locator('p').first().innerText(),
  ])
  await server.kill()

  const pageStates: Record<string, () => Promise<void>> = {
    'offline documents': async () => {
      await page.goto(origin)
      const list = page.getByRole('list', { name: 'Documents' })
      await expect(list.getByRole('listitem')).toHaveCount(1)
      await expect(list.getByText('On this device')).toBeVisible()
    },
    'offline document': async () => {
      await page.getByRole('link', { name: title }).click()
      await expect(shown).toHaveText(text)
      await expect(saveStateIn(page)).toHaveText('Saved on this device')
      await expect(page.getByText('You’re offline.')).toBeVisible()
    },
    'offline panel': async () => {
      await page.goto(`${origin}/d/${id}/p/preview`)
      await expect(page.getByRole('region', { name: 'Preview' })).toContainText(firstLine)
      await expect(saveStateIn(page)).toHaveText('Saved on this device')
    },
    'offline unknown panel': async () => {
      await page.goto(`${origin}/d/${id}/p/minimap`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such panel')
    },
    'offline new': async () => {
      await page.goto(`${origin}/new`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('A new document needs the network')
    },
  }
  for (const [name, openState] of Object.entries(pageStates)) {
    await openState()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width > 400 ? 900 : 844 })
      await forLightAndDark(page, (colorScheme) =>
        expectCleanPage(page, `${name} ${colorScheme} ${width}`, info),
      )
    }
  }
  expect(pageErrors).toEqual([])
  await server.start()
  await context.close()
})
