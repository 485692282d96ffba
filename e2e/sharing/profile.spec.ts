/** A name of one's own: from a link to the first letter, and a name that follows its person wherever they are shown. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { expectFit, inLightAndDark } from '../support/sight.ts'
import type { Window } from '../support/window.ts'

const cardIn = (page: Page): Locator => page.getByRole('region', { name: /shared this document with you/ })
const ownFace = ({ people }: Window): Locator => people.nth(0)

async function openProfile(window: Window): Promise<Locator> {
  await ownFace(window).click()
  return window.page.getByRole('dialog', { name: 'Your profile' })
}

async function rename(window: Window, name: string): Promise<void> {
  const dialog = await openProfile(window)
  await dialog.getByRole('textbox', { name: 'Display name' }).fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
}

test('who comes by a link for the first time writes at once, sees who shared it, and is asked for a name once', async ({
  door,
  openWindow,
  openWindowOf,
}) => {
  const document = await door.newDocument()
  const other = await openWindow(document.url('editor'))
  const visitor = await openWindow(document.url('editor'))
  const { page } = visitor
  // One click, and the letters are there: nothing stands in the way.
  await visitor.text.click()
  await visitor.type('First words.')
  await other.expectLines('First words.')
  const card = cardIn(page)
  await expect(card).toContainText('You can edit it and comment on it.')
  await expect(visitor.text).toBeFocused()

  const field = card.getByRole('textbox', { name: 'Join as' })
  await expect(field).toHaveValue(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
  await field.fill('\u202eAda')
  await expect(card.getByRole('alert')).toHaveText(/no control characters/)
  await field.fill('Ada Wren')
  await card.getByRole('button', { name: 'Join' }).click()
  await expect(card).toBeHidden()
  await expect(other.people.nth(1)).toHaveAccessibleName('Ada Wren')
  await expect(ownFace(visitor)).toHaveAccessibleName('Ada Wren (you)')

  const second = await door.newDocument()
  const again = await openWindowOf(page.context(), second.url('viewer'))
  await expect(ownFace(again)).toHaveAccessibleName('Ada Wren (you)')
  await expect(cardIn(again.page)).toBeHidden()
})

test('a card that was put away stays away, on every page of this guest', async ({
  door,
  openWindow,
  openWindowOf,
}) => {
  const document = await door.newDocument()
  const visitor = await openWindow(document.url('viewer'))
  await expect(cardIn(visitor.page)).toContainText('You can view it.')
  const kept = visitor.page.waitForResponse(
    (response) => response.url().endsWith('/api/me') && response.request().method() === 'PATCH',
  )
  await cardIn(visitor.page).getByRole('button', { name: 'Not now' }).click()
  await expect(cardIn(visitor.page)).toBeHidden()
  expect((await kept).status()).toBe(200)
  const again = await openWindowOf(visitor.page.context(), document.url('editor'))
  await expect(again.people.nth(0)).toBeVisible()
  await expect(cardIn(again.page)).toBeHidden()
})

test('a new name and colour are in all windows of the person and in everybody’s, past comments included', async ({
  door,
  openWindow,
  openWindowOf,
}) => {
  const document = await door.newDocument()
  const ada = await openWindow(document.url('editor'))
  const bob = await openWindow(document.url('editor'))
  await rename(bob, 'Bob')
  await ada.append('Some words to talk about.')
  await ada.page.keyboard.press('ControlOrMeta+a')
  await expect.poll(() => ada.page.evaluate(() => getSelection()?.toString())).toContain('words to talk')
  await ada.page.keyboard.press('ControlOrMeta+Alt+m')
  await ada.page.getByRole('textbox', { name: 'Comment' }).fill('A thought.')
  await ada.page.keyboard.press('ControlOrMeta+Enter')
  const further = await openWindowOf(
    ada.page.context(),
    ada.page.url().replace(document.id, `${document.id}/p/comments`),
    { ready: false },
  )
  const comments = further.page.getByRole('list', { name: 'Messages' })
  await expect(comments).toContainText('A thought.')
  const theirs = await bob.page.context().newPage()
  await theirs.goto(further.page.url())
  await expect(theirs.getByRole('list', { name: 'Messages' })).toContainText('A thought.')

  const dialog = await openProfile(ada)
  const colour = dialog.getByRole('radio').last()
  const chosen = await colour.evaluate((radio) => (radio as HTMLInputElement).labels![0]!.textContent)
  await colour.check()
  await dialog.getByRole('textbox', { name: 'Display name' }).fill('Ada Wren')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await expect(ownFace(ada)).toHaveAccessibleName(/^Ada Wren \(you\)/)
  await expect(bob.people.nth(1)).toHaveAccessibleName(/^Ada Wren/)
  await ada.focusEnd()
  await expect(bob.text.locator('.caret-name')).toHaveText('Ada Wren')
  await expect(comments).toContainText('Ada Wren')
  await expect(theirs.getByRole('list', { name: 'Messages' })).toContainText('Ada Wren')
  await expect(comments).toContainText('A thought.')

  // Nobody takes a colour that somebody here is shown in.
  const other = await openProfile(bob)
  await expect(other.getByRole('radio').first()).toBeVisible()
  await expect(other.getByRole('radio', { name: chosen, exact: true })).toHaveCount(0)
  await bob.page.keyboard.press('Escape')

  await ada.page.reload()
  await ada.expectReady()
  await expect(ownFace(ada)).toHaveAccessibleName(/^Ada Wren \(you\)/)
})

test('who shares for the first time says how others see them, and settings lead to the profile', async ({
  server,
  scheme,
  openWindow,
}) => {
  const owner = await openWindow(`${server.origin(scheme)}/new`)
  const { page } = owner
  const share = page.getByRole('dialog', { name: 'Share' })
  await page.getByRole('button', { name: 'Share' }).click()
  const field = share.getByRole('textbox', { name: 'Your name, as others see it' })
  await field.fill('Ada')
  await share.getByRole('button', { name: 'Create edit link' }).click()
  const link = share.getByRole('textbox', { name: 'New link' })
  const address = await link.inputValue()
  await page.keyboard.press('Escape')
  await expect(ownFace(owner)).toHaveAccessibleName('Ada (you)')

  const visitor = await openWindow(address)
  await expect(cardIn(visitor.page)).toContainText('Ada shared this document with you.')
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(link.or(share.getByRole('list', { name: 'Links in use' })).first()).toBeVisible()
  await expect(field).toBeHidden()
  await page.keyboard.press('Escape')

  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Your profile' }).click()
  const profile = page.getByRole('dialog', { name: 'Your profile' })
  await expect(profile.getByRole('textbox', { name: 'Display name' })).toBeFocused()
  await expect(profile.getByRole('textbox', { name: 'Display name' })).toHaveValue('Ada')
  await page.keyboard.press('Escape')
  await expect(profile).toBeHidden()
})

test(
  'card and profile can be read and reached by everybody',
  { tag: '@long' },
  async ({ door, openWindow }, info) => {
    const document = await door.newDocument()
    const visitor = await openWindow(document.url('editor'))
    const { page } = visitor
    for (const [width, height] of [
      [320, 640],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect(cardIn(page)).toBeVisible()
      await inLightAndDark(page, (scheme) => expectFit(page, `join ${scheme} ${width}`, info))
    }
    await openProfile(visitor)
    await inLightAndDark(page, (scheme) => expectFit(page, `profile ${scheme}`, info))
  },
)
