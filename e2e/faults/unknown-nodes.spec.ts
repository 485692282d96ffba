import type { Page } from '@playwright/test'
import * as Y from 'yjs'
import { openWriter } from '../fixtures/document-writer.ts'
import { expect, test } from '../fixtures/test.ts'

const expectReloadPrompt = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { name: 'This document needs a newer page' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible()
}

test('unknown node types in a document, from the start or while it is open: nothing is deleted, the window asks for a reload', async ({
  server,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const openedWindow = await openWindow(document.url('editor'))
  await openedWindow.typeAtEnd('known')
  await expect(openedWindow.saveState).toHaveText('Saved')
  const newerProgram = await openWriter(server.origin('https'), document)
  const body = newerProgram.doc.getXmlFragment('default')
  const hologram = new Y.XmlElement('hologram')
  hologram.insert(0, [new Y.XmlText('of tomorrow')])
  body.push([hologram])
  await newerProgram.whenSaved()
  const expectedXml = body.toJSON()
  expect(expectedXml).toContain('of tomorrow')

  await expectReloadPrompt(openedWindow.page)
  await openedWindow.page.keyboard.type('more')
  const lateWindow = await openWindow(document.url('editor'), { ready: false })
  await expectReloadPrompt(lateWindow.page)
  await lateWindow.page.keyboard.type('more')

  // A window's own edit would have arrived after a round trip.
  newerProgram.doc.getText('title').insert(0, 'T')
  await newerProgram.whenSaved()
  expect(body.toJSON()).toBe(expectedXml)
  await newerProgram.close()
})
