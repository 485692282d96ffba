/** The profile: a visitor by a link chooses a name, which is shown wherever that person is. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'

const joinCardIn = (page: Page): Locator =>
  page.getByRole('region', { name: /shared this document with you/ })
const ownAvatar = ({ people }: DocumentWindow): Locator => people.nth(0)

async function openProfile(window: DocumentWindow): Promise<Locator> {
  await ownAvatar(window).click()
  return window.page.getByRole('dialog', { name: 'Your profile' })
}

async function rename(window: DocumentWindow, name: string): Promise<void> {
  const dialog = await openProfile(window)
  await dialog.getByRole('textbox', { name: 'Display name' }).fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
}

test('a visitor by a link writes at once, sees who shared the document, and is asked for a name once', async ({
  createDocument,
  openWindow,
  openWindowIn,
}) => {
  const document = await createDocument()
  const other = await openWindow(document.url('editor'))
  const visitor = await openWindow(document.url('editor'))
  const { page } = visitor
  // One click, and the letters are there: nothing stands in the way.
  await visitor.text.click()
  await visitor.type('First words.')
  await other.expectLines('First words.')
  const card = joinCardIn(page)
  await expect(card).toContainText('You can edit it and comment on it.')
  await expect(visitor.text).toBeFocused()

  const field = card.getByRole('textbox', { name: 'Join as' })
  await expect(field).toHaveValue(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
  await field.fill('\u202eAda')
  await expect(card.getByRole('alert')).toHaveText(/no control characters/)
  await field.fill('Ada Wren')
  await card.getByRole('button', { name: 'Join' }).click()
  await expect(card).toBeHidden()
  await page.keyboard.type(' And more.')
  await other.expectLines('First words. And more.')
  await expect(other.people.nth(1)).toHaveAccessibleName('Ada Wren')
  await expect(ownAvatar(visitor)).toHaveAccessibleName('Ada Wren (you)')

  const second = await createDocument()
  const nextWindow = await openWindowIn(page.context(), second.url('viewer'))
  await expect(ownAvatar(nextWindow)).toHaveAccessibleName('Ada Wren (you)')
  await expect(joinCardIn(nextWindow.page)).toBeHidden()
})

test('after Enter in the card the focus is in the text, and the text has not moved @long', async ({
  longDocument,
  openWindow,
}) => {
  const { page, text } = await openWindow(longDocument.url('editor'))
  await page.mouse.move(300, 400)
  await page.mouse.wheel(0, 1500)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000)
  await joinCardIn(page).getByRole('textbox', { name: 'Join as' }).fill('Ada Wren')
  const scrolledTo = await page.evaluate(() => scrollY)
  await page.keyboard.press('Enter')
  await expect(joinCardIn(page)).toBeHidden()
  await expect(text).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(scrolledTo)
})

test('a card that was put away stays away, on every page of this guest @long', async ({
  createDocument,
  openWindow,
  openWindowIn,
}) => {
  const document = await createDocument()
  const visitor = await openWindow(document.url('viewer'))
  await expect(joinCardIn(visitor.page)).toContainText('You can view it.')
  const dismissal = visitor.page.waitForResponse(
    (response) => response.url().endsWith('/api/me') && response.request().method() === 'PATCH',
  )
  await joinCardIn(visitor.page).getByRole('button', { name: 'Not now' }).click()
  await expect(joinCardIn(visitor.page)).toBeHidden()
  expect((await dismissal).status()).toBe(200)
  const nextWindow = await openWindowIn(visitor.page.context(), document.url('editor'))
  await expect(nextWindow.people.nth(0)).toBeVisible()
  await expect(joinCardIn(nextWindow.page)).toBeHidden()
})

test('a new name and colour are shown in all windows of the person and of others, past comments included @long', async ({
  createDocument,
  openWindow,
  openWindowIn,
}) => {
  const document = await createDocument()
  const ada = await openWindow(document.url('editor'))
  const bob = await openWindow(document.url('editor'))
  await rename(bob, 'Bob')
  await ada.typeAtEnd('Some words to talk about.')
  await ada.page.keyboard.press('ControlOrMeta+a')
  await expect.poll(() => ada.page.evaluate(() => getSelection()?.toString())).toContain('words to talk')
  await ada.page.keyboard.press('ControlOrMeta+Alt+m')
  await ada.page.getByRole('textbox', { name: 'Comment' }).fill('A thought.')
  await ada.page.keyboard.press('ControlOrMeta+Enter')
  const commentsWindow = await openWindowIn(
    ada.page.context(),
    ada.page.url().replace(document.id, `${document.id}/p/comments`),
    { ready: false },
  )
  const comments = commentsWindow.page.getByRole('list', { name: 'Messages' })
  await expect(comments).toContainText('A thought.')
  const pageOfBob = await bob.page.context().newPage()
  await pageOfBob.goto(commentsWindow.page.url())
  await expect(pageOfBob.getByRole('list', { name: 'Messages' })).toContainText('A thought.')

  const dialog = await openProfile(ada)
  const colour = dialog.getByRole('radio').last()
  const chosenColour = await colour.evaluate((radio) => (radio as HTMLInputElement).labels![0]!.textContent)
  await colour.check()
  await dialog.getByRole('textbox', { name: 'Display name' }).fill('Ada Wren')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await expect(ownAvatar(ada)).toHaveAccessibleName(/^Ada Wren \(you\)/)
  await expect(bob.people.nth(1)).toHaveAccessibleName(/^Ada Wren/)
  await ada.focusEnd()
  await expect(bob.text.locator('.caret-name')).toHaveAttribute('data-name', 'Ada Wren')
  await expect(comments).toContainText('Ada Wren')
  await expect(pageOfBob.getByRole('list', { name: 'Messages' })).toContainText('Ada Wren')
  await expect(comments).toContainText('A thought.')

  // Nobody takes a colour that somebody here is shown in.
  const other = await openProfile(bob)
  await expect(other.getByRole('radio').first()).toBeVisible()
  await expect(other.getByRole('radio', { name: chosenColour, exact: true })).toHaveCount(0)
  await bob.page.keyboard.press('Escape')

  await ada.page.reload()
  await ada.expectReady()
  await expect(ownAvatar(ada)).toHaveAccessibleName(/^Ada Wren \(you\)/)
})

test('a person who shares for the first time chooses the name that others see, and Settings leads to the profile', async ({
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
  await expect(ownAvatar(owner)).toHaveAccessibleName('Ada (you)')

  const visitor = await openWindow(address)
  await expect(joinCardIn(visitor.page)).toContainText('Ada shared this document with you.')
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

test('the card and the profile are accessible', { tag: '@long' }, async ({ editorWindow: visitor }, info) => {
  const { page } = visitor
  for (const [width, height] of [
    [320, 640],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(joinCardIn(page)).toBeVisible()
    await forLightAndDark(page, (scheme) => expectCleanPage(page, `join ${scheme} ${width}`, info))
  }
  await openProfile(visitor)
  await forLightAndDark(page, (scheme) => expectCleanPage(page, `profile ${scheme}`, info))
})
