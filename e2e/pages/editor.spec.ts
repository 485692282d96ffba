import { expect, test } from '../fixtures/test.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'

test('a viewer reads along and cannot write', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  const writer = await openWindow(document.url('editor'))
  const viewer = await openWindow(document.url('viewer'))
  await writer.typeAtEnd('Read this.')
  await viewer.expectLines('Read this.')
  await expect(viewer.text).toHaveAttribute('aria-readonly', 'true')
  await expect(viewer.page.getByRole('textbox', { name: 'Title' })).not.toBeEditable()
  await viewer.text.click()
  await viewer.page.keyboard.type('not mine')
  await writer.typeAtEnd(' Still here.')
  await viewer.expectLines('Read this. Still here.')
  await writer.expectLines('Read this. Still here.')
})

test('the title is shared, letter by letter', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  const first = await openWindow(document.url('editor'))
  const second = await openWindow(document.url('editor'))
  await first.page.getByRole('textbox', { name: 'Title' }).pressSequentially('Minutes of Monday')
  await expect(second.page.getByRole('textbox', { name: 'Title' })).toHaveValue('Minutes of Monday')
  await expect(second.page).toHaveTitle(/^Minutes of Monday/)
  // React may set the page's title after its text is shown.
  await second.page.evaluate(() => {
    globalThis.document.title = 'Document – Diptych'
  })
  await expect(second.page).toHaveTitle(/^Minutes of Monday/)
})

test(
  'a title with several spaces in a row stops no window',
  { tag: '@long' },
  async ({ createDocument, openWindow }) => {
    const document = await createDocument()
    const first = await openWindow(document.url('editor'))
    const second = await openWindow(document.url('editor'))
    await first.page.getByRole('textbox', { name: 'Title' }).pressSequentially('Plan  B')
    await expect(second.page).toHaveTitle(/^Plan B/)
    await second.typeAtEnd('Words.')
    await first.expectLines('Words.')
  },
)

test('Enter in the title goes on at the beginning of the text, at once', async ({ editorWindow: window }) => {
  await window.typeAtEnd('rest')
  const title = window.page.getByRole('textbox', { name: 'Title' })
  await title.fill('Budget')
  // No frame passes between the two.
  const focused = await title.evaluate((field) => {
    field.focus()
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    return globalThis.document.activeElement?.getAttribute('aria-label')
  })
  expect(focused).toBe('Document')
  await window.type('first ')
  await window.expectLines('first rest')
  await expect(title).toHaveValue('Budget')
})

test(
  'thousands of letters without a pause are written, and nothing throws',
  { tag: '@long' },
  async ({ createDocument, openWindow }) => {
    test.slow()
    const document = await createDocument()
    const window = await openWindow(document.url('editor'))
    const letters = 'abcdefgh'.repeat(300)
    await window.focusEnd()
    await window.page.keyboard.type(letters)
    await window.expectLines(letters)
    await expect(window.saveState).toHaveText('Saved')
  },
)

test('people come and go @long', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  const first = await openWindow(document.url('editor'))
  await expect(first.people).toHaveCount(1)
  const second = await openWindow(document.url('editor'))
  await expect(first.people).toHaveCount(2)
  await second.close()
  await expect(first.people).toHaveCount(1)
})

test('undo takes back only what this window wrote @long', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  const first = await openWindow(document.url('editor'))
  const second = await openWindow(document.url('editor'))
  // All at once: keys half a second apart, as on a loaded machine, would be two steps of undo.
  await first.focusEnd()
  await first.page.keyboard.insertText('mine')
  await second.expectLines('mine')
  await second.typeAtEnd(' yours')
  await first.expectLines('mine yours')
  await first.text.focus()
  await first.page.keyboard.press('Control+z')
  await first.expectLines(' yours')
  await second.expectLines(' yours')
})

test('the choice of transport is remembered @long', async ({ editorWindow: window }) => {
  await window.chooseTransport('sse')
  await window.page.reload()
  await expect(window.saveState).toHaveText('Saved')
  await window.expectTransport('sse')
})

test('the Connection dialog works by keyboard and gives the caret back @long', async ({
  editorWindow: { page, text, saveState },
}) => {
  await text.focus()
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.keyboard.type('server-sent')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Connection' })
  const radioNamed = (name: string) => dialog.getByRole('radio', { name })
  await expect(dialog).toBeVisible()
  await expect(radioNamed('Automatic')).toBeChecked()
  await expect(radioNamed('Automatic')).toBeFocused()
  // The choice is for all windows unless the box is ticked.
  await expect(dialog).toHaveAccessibleDescription(/^How all your windows in this browser connect/)
  const thisWindowOnly = dialog.getByRole('checkbox', { name: 'Choose for this window only' })
  await thisWindowOnly.check()
  await expect(dialog).toHaveAccessibleDescription(/^How this window connects/)
  await thisWindowOnly.uncheck()
  await radioNamed('Automatic').focus()
  // Keys that are typed while the dialog opens change nothing, and do not close it.
  await page.keyboard.type('e r')
  await expect(radioNamed('Automatic')).toBeChecked()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(radioNamed(transportLabels.sse)).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(text).toBeFocused()
  await page.getByRole('button', { name: 'Connection', exact: true }).press('Enter')
  await expect(radioNamed(transportLabels.sse)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Connection', exact: true })).toBeFocused()
  await text.focus()
  await page.keyboard.type('on')
  await expect(saveState).toHaveText('Saved')
})

test('an owner shares by link, and withdraws it', async ({ page, server, scheme, openWindow }) => {
  await page.goto(`${server.origin(scheme)}/new`)
  await page.waitForURL(/\/d\/[\w-]+$/)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  const localOnly = dialog.getByText('Links open on this computer only.')
  await expect(dialog.getByText('HOST=0.0.0.0')).toBeHidden()
  await localOnly.click()
  await expect(dialog.getByText('HOST=0.0.0.0')).toBeVisible()
  await localOnly.click()
  await dialog.getByRole('button', { name: 'Create edit link' }).click()
  const link = await dialog.getByRole('textbox', { name: 'New link' }).inputValue()
  expect(link).toMatch(/\/d\/[\w-]+#token=/)
  await dialog.getByRole('button', { name: 'Create view-only link' }).click()
  await expect(dialog.getByRole('textbox', { name: 'New link' })).not.toHaveValue(link)
  await expect(dialog.getByText('To copy it again, choose Show below.')).toBeVisible()
  // The first is not lost to a second one, nor to a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Share' }).click()
  await dialog.getByRole('button', { name: 'Show edit link' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Edit link' })).toHaveValue(link)
  const guest = await openWindow(link)
  // The token does not stay in the address.
  await expect(guest.page).not.toHaveURL(/token=/)
  await guest.typeAtEnd('by the guest')
  await expect(guest.saveState).toHaveText('Saved')
  await expect(guest.page.getByRole('button', { name: 'Share' })).toHaveCount(0)

  await dialog.getByRole('button', { name: 'Revoke edit link' }).click()
  await dialog.getByRole('button', { name: 'Remove everyone who used it' }).click()
  await expect(guest.text).toHaveAttribute('aria-readonly', 'true')
  await expect(guest.saveState).toHaveText('No access')
  await expect(
    guest.page.getByRole('alert').filter({ hasText: 'You no longer have access to this document.' }),
  ).toContainText('Its owner may have deleted it or revoked your link.')
  await expect(guest.page.getByRole('group', { name: 'People' })).toHaveCount(0)
  await expect(guest.page.getByText('View only')).toHaveCount(0)
  await expect(guest.page.getByRole('textbox', { name: 'Join as' })).toHaveCount(0)
  await guest.page.reload()
  await expect(
    guest.page.getByRole('heading', { level: 1, name: 'There is no such document here' }),
  ).toBeVisible()
  const stranger = await page.context().browser()!.newContext()
  const strangerPage = await stranger.newPage()
  await strangerPage.goto(link)
  await expect(
    strangerPage.getByRole('heading', { level: 1, name: 'There is no such document here' }),
  ).toBeVisible()
  await stranger.close()
})

test('Tab stays in the text and says how to leave: by Escape, then Tab', async ({ editorWindow: window }) => {
  const { page, text } = window
  await window.typeAtEnd('one')
  await page.keyboard.press('Tab')
  await expect(page.getByText('press Escape, then Tab')).toBeVisible()
  await expect(text).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(text).toBeFocused()
  await window.type(' two')
  await window.expectLines('one two')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(text).not.toBeFocused()
})
