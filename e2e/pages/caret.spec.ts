/**
 * A caret that a key has just moved: the browser tells the page of it a moment later, and others go on writing meanwhile. The moment
 * is hit by moving it from within the page, as the key Home does.
 */
import type * as Y from 'yjs'
import { expect, test } from '../support/fixtures.ts'
import type { Window } from '../support/window.ts'

async function written(window: Window): Promise<void> {
  await window.append('A line.\nOne word.')
  await expect(window.saveState).toHaveText('Saved')
}

test('it stays where it went when others’ letters come before that', async ({ door, openWindow }) => {
  const main = await openWindow((await door.newDocument()).url('editor'))
  await written(main)
  await main.page.evaluate(() => {
    const { doc } = window.diptych!
    const paragraph = doc.getXmlFragment('default').get(1) as Y.XmlElement
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
    getSelection()!.modify('move', 'backward', 'lineboundary')
    doc.transact(() => (paragraph.get(0) as Y.XmlText).insert(9, ' More.'), 'somebody else')
  })
  await main.type('Now: ')
  await main.expectLines('A line.\nNow: One word. More.')
})

test('it stays where it went when others’ carets come before that', async ({ door, openWindow }) => {
  const url = (await door.newDocument()).url('editor')
  const main = await openWindow(url)
  await written(main)
  const other = await openWindow(url)
  await other.focusEnd()
  await expect(main.page.locator('.text .caret')).toHaveCount(1)
  await main.focusEnd()
  const told = await main.page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    window.diptych!.awareness.once('change', () => {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
      getSelection()!.modify('move', 'backward', 'lineboundary')
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
    })
    return { promise }
  })
  await other.page.keyboard.press('Home')
  await told.evaluate(({ promise }) => promise)
  await main.type('Now: ')
  await main.expectLines('A line.\nNow: One word.')
})
