import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

async function draw(page: Page, results: number): Promise<string> {
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

const charts = (page: Page) => page.getByRole('list', { name: 'Charts' }).getByRole('listitem')

test(
  'fifty charts by plain requests over HTTP/2, inside the session, and over HTTP/1.1',
  { tag: '@long' },
  async ({ browser, server }, info) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${server.origin('https')}/lab/dashboard`)
    expect(await draw(page, 1)).toBe('Requests, HTTP/2')
    await expect(charts(page)).toHaveCount(50)
    const names = await charts(page).getByRole('heading').allTextContents()
    expect(new Set(names).size).toBe(50)
    await page.getByRole('radio', { name: 'Requests inside the session' }).click()
    await page.getByRole('combobox', { name: 'Transport' }).selectOption('Server-sent events')
    expect(await draw(page, 2)).toBe('Session, Server-sent events, HTTP/2')
    expect(await charts(page).getByRole('heading').allTextContents()).toEqual(names)

    const plain = await (await browser.newContext()).newPage()
    await plain.goto(`${server.origin('http')}/lab/dashboard`)
    expect(await draw(plain, 1)).toBe('Requests, HTTP/1.1')
    const seconds = (of: Page) =>
      of.locator('tr[data-ms]').evaluateAll((rows) => rows.map((row) => row.textContent))
    await info.attach('drawings', { body: JSON.stringify([await seconds(page), await seconds(plain)], null, 2), contentType: 'application/json' }) // prettier-ignore
    await plain.context().close()
    await context.close()
  },
)

test(
  'cancelled, it begins afresh; live, the charts are asked for again',
  { tag: '@long' },
  async ({ browser, server, scheme }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${server.origin(scheme)}/lab/dashboard`)
    await page.getByRole('button', { name: 'Draw 50 charts' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(charts(page)).toHaveCount(0)
    await expect(page.getByText('Cancelled: this drawing is not counted.')).toBeVisible()
    await draw(page, 1)
    const again = page.waitForRequest(/\/api\/lab\/figures\//)
    await page.getByRole('checkbox', { name: 'Keep them live' }).check()
    await again
    await context.close()
  },
)

test(
  'drawings are saved, exported and shared; who opens the link sees them, whoever it is',
  { tag: '@long' },
  async ({ browser, server, scheme }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const origin = server.origin(scheme)
    await page.goto(`${origin}/lab/dashboard`)
    await draw(page, 1)
    const drawings = page.getByRole('region', { name: 'Time until all are drawn' })
    const time = await drawings.getByRole('row', { name: /^Requests, HTTP\/2/ }).getByRole('cell').first().textContent() // prettier-ignore

    const downloading = page.waitForEvent('download')
    await drawings.getByRole('button', { name: 'Export JSON' }).click()
    const exported = JSON.parse(await readFile(await (await downloading).path(), 'utf8')) as { drawings: object[] } // prettier-ignore
    expect(exported.drawings).toEqual([expect.objectContaining({ way: 'requests', seed: 1, failed: 0 })])

    await drawings.getByRole('button', { name: 'Save on this device' }).press('Enter')
    await expect(drawings.getByRole('button', { name: 'Saved on this device' })).toBeFocused()
    await drawings.getByRole('button', { name: 'Share by a link' }).click()
    const link = await drawings.getByRole('textbox', { name: 'Link to this result' }).inputValue()
    await page.reload()
    const saved = page.getByRole('region', { name: 'Saved on this device' })
    await saved.getByText('1 drawing').click()
    await expect(saved.getByRole('row', { name: /^Requests, HTTP\/2/ })).toContainText(time!)
    await saved.getByRole('button', { name: 'Delete' }).click()
    await expect(saved).toContainText('No results yet')
    await expect(saved.getByRole('heading')).toBeFocused()
    await context.close()

    const stranger = await (await browser.newContext()).newPage()
    await stranger.goto(link)
    const shared = stranger.getByRole('region', { name: 'A result from a link' })
    await expect(shared.getByRole('row', { name: /^Requests, HTTP\/2/ })).toContainText(time!)
    await shared.getByRole('button', { name: 'Save on this device' }).click()
    await shared.getByRole('button', { name: 'Close' }).click()
    await expect(shared).toHaveCount(0)
    await expect(stranger.getByRole('main')).toBeFocused()
    await expect(stranger.getByRole('region', { name: 'Saved on this device' })).toContainText('1 drawing')
    // This link belongs to the other page of the lab.
    await stranger.goto(link.replace('/lab/dashboard', '/lab'))
    await expect(shared.getByRole('alert')).toContainText('cannot be read')
    await stranger.context().close()
  },
)
