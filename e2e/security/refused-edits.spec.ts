/** When an edit is refused for good, the window says why, and its text can be copied before it is reloaded. */
import { expect, test } from '../fixtures/test.ts'
import { openWriter } from '../fixtures/document-writer.ts'

for (const hasClipboard of [true, false])
  test(`[A5] the text of a window whose edit is refused can be copied ${hasClipboard ? 'to the clipboard' : 'where there is no clipboard @long'}`, async ({
    server,
    scheme,
    createDocument,
    openWindow,
  }) => {
    const document = await createDocument()
    const remoteWriter = await openWriter(server.origin(scheme), document)
    remoteWriter.doc.getText('title').insert(0, 'Plan')
    await remoteWriter.whenSaved()
    const { page, text, saveState } = await openWindow(document.url('editor'))
    await expect(page).toHaveTitle(/^Plan/)
    await page.evaluate((client) => {
      globalThis.window.diptych!.doc.clientID = client
    }, remoteWriter.doc.clientID)
    await text.click()
    // The words are one edit, because the window takes no more letters once an edit is refused.
    await page.keyboard.insertText('My words.')
    const alert = page.getByRole('alert').filter({ hasText: 'This window can no longer save changes.' })
    await expect(alert).toContainText('Someone else writes under this window’s id')
    await expect(saveState).toHaveText('Not saved')
    if (hasClipboard) await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    else await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await alert.getByRole('button', { name: 'Copy text' }).click()
    const expected = 'Plan\n\nMy words.'
    if (hasClipboard) {
      await expect(alert.getByRole('button', { name: 'Copied' })).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(expected)
    } else {
      const field = alert.getByRole('textbox', { name: 'Text of this window' })
      await expect(field).toBeFocused()
      await expect(field).toHaveValue(expected)
      expect(await page.evaluate(() => getSelection()?.toString())).toBe(expected)
    }
    expect(remoteWriter.doc.getXmlFragment('default').toJSON()).not.toContain('My words')
    await remoteWriter.close()
  })
