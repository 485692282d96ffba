/** [W7] A visitor who has only a link's token may choose any name: the screen marks that name wherever it shows it. */
import * as Y from 'yjs'
import { expect, test } from '../fixtures/test.ts'
import { joinWithStockClient } from '../fixtures/stock-client.ts'

test('[W7] a program that uses somebody else’s name is marked among the people and at its caret @long', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const window = await openWindow(document.url('editor'))
  await window.typeAtEnd('Words.')
  await expect(window.saveState).toHaveText('Saved')
  using stockClient = await joinWithStockClient(server.origin(scheme), document, 'Ada Wren')
  await expect(window.people.nth(1)).toHaveAccessibleName('Ada Wren (by link)')

  const text = stockClient.provider.doc.getXmlFragment('default').get(0) as Y.XmlElement
  const caretPosition = Y.createRelativePositionFromTypeIndex(text.get(0) as Y.XmlText, 2)
  stockClient.provider.awareness.setLocalStateField('cursor', { anchor: caretPosition, head: caretPosition })
  await expect(window.text.locator('.caret-name')).toHaveAttribute('data-name', 'Ada Wren (by link)')

  await window.page.goto(`${server.origin(scheme)}/d/${document.id}/p/people`)
  const row = window.page.getByRole('list', { name: 'People in this document' }).locator('> li').nth(1)
  await expect(row).toContainText('Ada Wren (by link)')
  await expect(row).toContainText('Joined by a link. The name is not verified.')
})
