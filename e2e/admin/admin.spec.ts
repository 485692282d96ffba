import { expect, test } from '../fixtures/test.ts'
import { launchAdminServer, signIn } from './fixtures/admin-server.ts'

test('without ADMIN_TOKEN there is no page /admin', async ({ page, server, scheme }) => {
  const response = await page.goto(`${server.origin(scheme)}/admin`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible()
  expect((await page.request.get(`${server.origin(scheme)}/api/admin/figures`)).status()).toBe(404)
})

test(
  'the token opens the figures, and a reload keeps them; signing out closes them',
  { tag: '@long' },
  async ({ page, scheme }) => {
    await using server = await launchAdminServer()
    await page.goto(`${server.origin(scheme)}/admin`)
    await signIn(page, 'not the right token')
    await expect(page.getByRole('alert').filter({ hasText: 'This is not the token.' })).toBeVisible()
    await signIn(page)
    await expect(page.getByRole('figure', { name: 'Sessions' })).toBeVisible()
    await expect(
      page.getByText(/^Documents take .* Each person may have 1 GB\. The disk has .* stay free\.$/),
    ).toBeVisible()
    // The first sample comes 5 s after the start.
    const memory = page.getByRole('table', { name: 'Memory' })
    await expect(memory.getByRole('row', { name: /^Resident \d+(\.\d)? MB/ })).toBeAttached()
    expect(
      await page.evaluate(
        () =>
          document.cookie + JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      ),
    ).not.toContain('admin=')
    expect(page.url()).not.toContain('token')
    await page.reload()
    await expect(page.getByRole('figure', { name: 'Memory' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByLabel('Token')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Token')).toBeVisible()
  },
)
