import type { Page } from '@playwright/test'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { expect, test } from '../fixtures/test.ts'

async function openShareDialog(page: Page) {
  await page.getByRole('button', { name: 'Share' }).press('Enter')
  return page.getByRole('dialog', { name: 'Share' })
}

/** An address that differs in its fragment alone would not load the page again. */
async function openAgain(page: Page, link: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(link)
}

test('an owner stops new joins, and removes one person; the others write on @long', async ({
  page,
  server,
  scheme,
  openWindow,
}, info) => {
  await page.goto(`${server.origin(scheme)}/new`)
  await page.waitForURL(/\/d\/[\w-]+$/)
  const dialog = await openShareDialog(page)
  const people = dialog.getByRole('list', { name: 'People who came by a link' })
  await dialog.getByRole('button', { name: 'Create edit link' }).press('Enter')
  const link = await dialog.getByRole('textbox', { name: 'New link' }).inputValue()
  const guests = [await openWindow(link), await openWindow(link)]
  for (const guest of guests) await expect(guest.saveState).toHaveText('Saved')
  await page.reload()
  await openShareDialog(page)

  await test.step('nobody new gets in, and who is in stays', async () => {
    await expect(dialog.getByText('2 people came by it.')).toBeVisible()
    const revoke = dialog.getByRole('button', { name: 'Revoke edit link' })
    await revoke.press('Enter')
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: 'Keep' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(revoke).toBeFocused()
    await revoke.press('Enter')
    await dialog.getByRole('button', { name: 'Stop new joins' }).press('Enter')
    await expect(revoke).toBeFocused()
    await expect(dialog.getByText('Nobody new can join.')).toBeVisible()
    await expect(
      dialog.getByRole('status').filter({ hasText: 'Nobody new can join by the link.' }),
    ).toHaveCount(1)
    const late = await openWindow(link, { ready: false })
    await expect(late.page.getByRole('heading', { name: 'There is no such document here' })).toBeVisible()
    for (const guest of guests) await guest.typeAtEnd('x')
    await guests[0]!.expectLines('xx')
    await dialog.getByRole('button', { name: 'Let people join by edit link' }).press('Enter')
    await openAgain(late.page, link)
    await late.typeAtEnd('y')
    await guests[0]!.expectLines('xxy')
  })

  await test.step('who is removed loses access at once, and their link does not bring them back', async () => {
    await expect(people.getByRole('listitem')).toHaveCount(2)
    await page.reload()
    await openShareDialog(page)
    await expect(people.getByRole('listitem')).toHaveCount(3)
    // Who came last is the first.
    await people
      .getByRole('button', { name: /^Remove / })
      .nth(1)
      .press('Enter')
    await expect(dialog.getByText('loses access at once')).toContainText('stop its new joins, too')
    await dialog.getByRole('button', { name: /^Remove access of / }).press('Enter')
    await expect(people.getByRole('listitem')).toHaveCount(2)
    await expect(people.getByRole('button', { name: /^Remove / }).nth(1)).toBeFocused()
    await expect(guests[1]!.saveState).toHaveText('No access')
    await openAgain(guests[1]!.page, link)
    await expect(
      guests[1]!.page.getByRole('heading', { name: 'There is no such document here' }),
    ).toBeVisible()
    await guests[0]!.typeAtEnd('z')
    await guests[0]!.expectLines('xxyz')
    await expect(guests[0]!.saveState).toHaveText('Saved')
  })

  await test.step('the dialog is clean on a desktop and on a phone', async () => {
    await dialog.getByRole('button', { name: 'Revoke edit link' }).press('Enter')
    await people
      .getByRole('button', { name: /^Remove / })
      .first()
      .press('Enter')
    await expectCleanPage(page, 'who has access', info)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectCleanPage(page, 'who has access phone', info)
  })
})
