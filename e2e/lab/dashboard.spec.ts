import type { Page } from '@playwright/test'
import { downloadText } from '../fixtures/download-text.ts'
import { expect, test } from '../fixtures/test.ts'

async function drawCharts(page: Page, results: number): Promise<string> {
  await page.getByRole('button', { name: 'Draw 50 charts' }).click()
  const rows = page
    .getByRole('region', { name: 'Time until all are drawn' })
    .getByRole('table')
    .locator('tr[data-ms]')
  await expect(rows).toHaveCount(results, { timeout: 60_000 })
  const row = rows.nth(results - 1)
  await expect(row.getByRole('cell').last()).toHaveText('0')
  return (await row.getByRole('rowheader').textContent()) ?? ''
}

const chartsIn = (page: Page) => page.getByRole('list', { name: 'Charts' }).getByRole('listitem')

test(
  'fifty charts by plain requests over HTTP/2, inside the session, and over HTTP/1.1',
  { tag: '@long' },
  async ({ browser, server }, info) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${server.origin('https')}/lab/dashboard`)
    expect(await drawCharts(page, 1)).toBe('Requests, HTTP/2')
    await expect(chartsIn(page)).toHaveCount(50)
    const names = await chartsIn(page).getByRole('heading').allTextContents()
    expect(new Set(names).size).toBe(50)
    await page.getByRole('radio', { name: 'Requests inside the session' }).click()
    await page.getByRole('combobox', { name: 'Transport' }).selectOption('Server-sent events')
    expect(await drawCharts(page, 2)).toBe('Session, Server-sent events, HTTP/2')
    expect(await chartsIn(page).getByRole('heading').allTextContents()).toEqual(names)

    const plainPage = await (await browser.newContext()).newPage()
    await plainPage.goto(`${server.origin('http')}/lab/dashboard`)
    expect(await drawCharts(plainPage, 1)).toBe('Requests, HTTP/1.1')
    const readDrawings = (shownPage: Page) =>
      shownPage.locator('tr[data-ms]').evaluateAll((rows) => rows.map((row) => row.textContent))
    await info.attach('drawings', { body: JSON.stringify([await readDrawings(page), await readDrawings(plainPage)], null, 2), contentType: 'application/json' }) // prettier-ignore
    await plainPage.context().close()
    await context.close()
  },
)

test(
  'a cancelled drawing begins again from the start, and live charts are requested again',
  { tag: '@long' },
  async ({ browser, server, scheme }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${server.origin(scheme)}/lab/dashboard`)
    await page.getByRole('button', { name: 'Draw 50 charts' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(chartsIn(page)).toHaveCount(0)
    await expect(page.getByText('Cancelled: this drawing is not counted.')).toBeVisible()
    await drawCharts(page, 1)
    const nextRequest = page.waitForRequest(/\/api\/lab\/figures\//)
    await page.getByRole('checkbox', { name: 'Keep them live' }).check()
    await nextRequest
    await context.close()
  },
)

test(
  'drawings are saved, exported and shared, and everybody who opens the link sees them',
  { tag: '@long' },
  async ({ browser, server, scheme }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const origin = server.origin(scheme)
    await page.goto(`${origin}/lab/dashboard`)
    await drawCharts(page, 1)
    const drawings = page.getByRole('region', { name: 'Time until all are drawn' })
    const time = await drawings.getByRole('row', { name: /^Requests, HTTP\/2/ }).getByRole('cell').first().textContent() // prettier-ignore

    const json = await downloadText(drawings.getByRole('button', { name: 'Export JSON' }))
    const exported = JSON.parse(json) as { drawings: object[] }
    expect(exported.drawings).toEqual([expect.objectContaining({ way: 'requests', seed: 1, failed: 0 })])

    await drawings.getByRole('button', { name: 'Save on this device' }).press('Enter')
    await expect(drawings.getByRole('button', { name: 'Saved on this device' })).toBeFocused()
    await drawings.getByRole('button', { name: 'Share by a link' }).click()
    const link = await drawings.getByRole('textbox', { name: 'Link to this result' }).inputValue()
    await page.reload()
    const savedResults = page.getByRole('region', { name: 'Saved on this device' })
    await savedResults.getByText('1 drawing').click()
    await expect(savedResults.getByRole('row', { name: /^Requests, HTTP\/2/ })).toContainText(time!)
    await savedResults.getByRole('button', { name: 'Delete' }).click()
    await expect(savedResults).toContainText('No results yet')
    await expect(savedResults.getByRole('heading')).toBeFocused()
    await context.close()

    const strangerPage = await (await browser.newContext()).newPage()
    await strangerPage.goto(link)
    const sharedResult = strangerPage.getByRole('region', { name: 'A result from a link' })
    await expect(sharedResult.getByRole('row', { name: /^Requests, HTTP\/2/ })).toContainText(time!)
    await sharedResult.getByRole('button', { name: 'Save on this device' }).click()
    await sharedResult.getByRole('button', { name: 'Close' }).click()
    await expect(sharedResult).toHaveCount(0)
    await expect(strangerPage.getByRole('main')).toBeFocused()
    await expect(strangerPage.getByRole('region', { name: 'Saved on this device' })).toContainText(
      '1 drawing',
    )
    // This link belongs to the other page of the lab.
    await strangerPage.goto(link.replace('/lab/dashboard', '/lab'))
    await expect(sharedResult.getByRole('alert')).toContainText('cannot be read')
    await strangerPage.context().close()
  },
)
