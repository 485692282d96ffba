import type { Page } from '@playwright/test'
import * as Y from 'yjs'
import { openDocument } from '../../lib/client.ts'
import { expect, test } from '../support/fixtures.ts'

const asksForReload = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { name: 'This document needs a newer page' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible()
}

test('unknown node types in a document, there from the start or coming while it is open: nothing is deleted, reload is asked for', async ({
  server,
  door,
  openWindow,
}) => {
  const { id, tokens, url } = await door.newDocument()
  const open = await openWindow(url('editor'))
  await open.append('known')
  await expect(open.saveState).toHaveText('Saved')
  const newer = openDocument({
    url: server.origin('https'),
    document: id,
    token: tokens.editor,
    insecure: true,
  })
  await newer.whenSynced
  const body = newer.doc.getXmlFragment('default')
  const hologram = new Y.XmlElement('hologram')
  hologram.insert(0, [new Y.XmlText('of tomorrow')])
  body.push([hologram])
  await newer.whenSaved()
  const whole = body.toJSON()
  expect(whole).toContain('of tomorrow')

  await asksForReload(open.page)
  await open.page.keyboard.type('more')
  const late = await openWindow(url('editor'), { ready: false })
  await asksForReload(late.page)
  await late.page.keyboard.type('more')

  // What a window had done would be here after a round trip.
  newer.doc.getText('title').insert(0, 'T')
  await newer.whenSaved()
  expect(body.toJSON()).toBe(whole)
  await newer.close()
})
