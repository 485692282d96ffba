/** A document that is taken away from windows in which it is open, and comes back. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'

/** Writes a title and text, and makes a link for a guest. */
async function createOwnDocument(page: Page, origin: string): Promise<{ id: string; link: string }> {
  const post = async (path: string, data: unknown) => {
    const response = await page.request.post(`${origin}/api/documents${path}`, { data, headers: { origin } })
    return (await response.json()) as { readonly id: string; readonly url: string }
  }
  const { id } = await post('', { title: 'Budget plan' })
  const { url } = await post(`/${id}/links`, { role: 'editor' })
  return { id, link: `${origin}${url}` }
}

async function moveToTrash(list: Page): Promise<void> {
  await list.getByRole('button', { name: 'More for Budget plan' }).click()
  await list.getByRole('menuitem', { name: 'Move to trash' }).click()
}

test('a document in the trash is restored from its open windows, and goes on there by itself @long', async ({
  browser,
  server,
  scheme,
  openWindowIn,
  openWindow,
}, info) => {
  const origin = server.origin(scheme)
  const context = await browser.newContext()
  const list = await context.newPage()
  await list.goto(origin)
  const { id, link } = await createOwnDocument(list, origin)
  await list.reload()
  const window = await openWindowIn(context, `${origin}/d/${id}`)
  const outline = await openWindowIn(context, `${origin}/d/${id}/p/outline`, { ready: false })
  const guest = await openWindow(link)
  await window.typeAtEnd('Numbers to come.')
  await guest.expectLines('Numbers to come.')

  await moveToTrash(list)
  const banner = window.page.getByRole('alert').filter({ hasText: 'This document is in your trash.' })
  await expect(banner).toContainText('You can restore it until')
  await expect(window.text).toHaveAttribute('aria-readonly', 'true')
  await expect(window.saveState).toHaveText('Deleted')
  await expect(guest.page.getByText('You no longer have access to this document.')).toBeVisible()
  await forLightAndDark(window.page, (scheme) => expectCleanPage(window.page, `trashed-${scheme}`, info))
  await banner.getByRole('button', { name: 'Restore' }).click()
  await expect(window.text).toHaveAttribute('aria-readonly', 'false')
  await expect(banner).toHaveCount(0)
  await expect(window.text).toBeFocused()
  await window.page.keyboard.press('ControlOrMeta+Z')
  await guest.expectLines('')
  await window.page.keyboard.press('ControlOrMeta+Shift+Z')
  await guest.expectLines('Numbers to come.')
  await expect(guest.people).toHaveCount(2)
  await window.typeAtEnd(' And more.')
  await guest.expectLines('Numbers to come. And more.')
  await guest.typeAtEnd(' Thanks.')
  await window.expectLines('Numbers to come. And more. Thanks.')
  await expect(window.saveState).toHaveText('Saved')
  await expect(outline.page.getByText('in your trash')).toHaveCount(0)
  await expect(outline.saveState).toHaveText('Saved')

  await list.reload()
  await moveToTrash(list)
  await expect(banner).toBeVisible()
  await list.getByRole('button', { name: 'Undo' }).click()
  await expect(banner).toHaveCount(0)
  await window.typeAtEnd(' Again.')
  await expect(window.saveState).toHaveText('Saved')
  await window.expectLines('Numbers to come. And more. Thanks. Again.')
})

test('the page of a document in the trash opens it once it is restored elsewhere @long', async ({
  page,
  server,
  scheme,
}) => {
  const origin = server.origin(scheme)
  await page.goto(origin)
  const { id } = await createOwnDocument(page, origin)
  await page.request.delete(`${origin}/api/documents/${id}`, { headers: { origin } })
  await page.goto(`${origin}/d/${id}`)
  await expect(page.getByRole('heading', { name: 'In your trash' })).toBeVisible()
  await page.request.post(`${origin}/api/trash/${id}/restore`, { headers: { origin } })
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeEditable()
})

test('the page of a document that cannot be opened says so when the network fails meanwhile @long', async ({
  page,
  server,
  scheme,
}) => {
  const origin = server.origin(scheme)
  await page.goto(origin)
  const { id } = await createOwnDocument(page, origin)
  await page.request.delete(`${origin}/api/documents/${id}`, { headers: { origin } })
  await page.route('**/api/trash/**', (route) => route.abort())
  await page.goto(`${origin}/d/${id}`)
  await expect(page.getByRole('main')).toContainText('The server cannot be reached.')
  await page.unrouteAll()

  let isHeld = true
  await page.route('**/_next/static/**/*.js', async (route) => {
    const response = await route.fetch()
    return isHeld && (await response.text()).includes('In your trash')
      ? route.abort()
      : route.fulfill({ response })
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'The document did not open' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('This did not load.')
  isHeld = false
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { name: 'In your trash' })).toBeVisible()
})
